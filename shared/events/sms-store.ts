import * as v from 'valibot'
import { smsKey } from '../platform/keys.ts'
import { ifConditionHolds, putItem } from '../platform/table/table.ts'
import { Sms } from './sms.ts'

/** @throws ValiError when the item is not a text message */
export const smsFromItem = (item: unknown): Sms => v.parse(Sms, item)

/** Stores a text message. Safe to repeat: the first write stays. */
export const insertSms = async (sms: Sms): Promise<void> => {
  await ifConditionHolds(putItem({ ...smsKey(sms.lead, sms.sms_id), ...sms }, { ConditionExpression: 'attribute_not_exists(pk)' }))
}
