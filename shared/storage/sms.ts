import * as v from 'valibot'
import { Sms } from '../schema/sms.ts'
import { smsKey } from './keys.ts'
import { ifConditionHolds, putItem } from './table.ts'

/** @throws ValiError when the item is no text message. */
export const smsFromItem = (item: unknown): Sms => v.parse(Sms, item)

/** Keeps a text message. Safe to repeat: the first one stands. */
export const insertSms = async (sms: Sms): Promise<void> => {
  await ifConditionHolds(putItem({ ...smsKey(sms.lead, sms.sms_id), ...sms }, { ConditionExpression: 'attribute_not_exists(pk)' }))
}
