import * as v from 'valibot'
import { phoneHash } from '../adapters/phone-hash.ts'
import { litigatorKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

/** Whether a phone is on the operator's list of people who sue callers. */
export const isListedLitigator = async (phoneNumber: string): Promise<boolean> =>
  (await getItem(v.unknown(), litigatorKey(await phoneHash(phoneNumber)))) !== undefined

export const listLitigator = async (phoneNumber: string): Promise<void> => putItem({ ...litigatorKey(await phoneHash(phoneNumber)) })
