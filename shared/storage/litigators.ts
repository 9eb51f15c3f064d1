import * as v from 'valibot'
import { phoneHash } from '../adapters/phone-hash.ts'
import { batchGet, batchPut } from './batches.ts'
import { litigatorKey } from './keys.ts'
import { deleteItem, getItem, putItem } from './table.ts'

/** Whether a phone is on the operator's list of people who sue callers. */
export const isListedLitigator = async (phoneNumber: string): Promise<boolean> =>
  (await getItem(v.unknown(), litigatorKey(await phoneHash(phoneNumber)))) !== undefined

const AtKey = v.object({ pk: v.string() })

/** Numbers that are hashed and looked up at a time. */
const AT_A_TIME = 1000

const inParts = async (
  phoneNumbers: readonly string[],
  take: (part: { phoneNumber: string; pk: string; sk: string }[]) => Promise<unknown>,
) => {
  for (let at = 0; at < phoneNumbers.length; at += AT_A_TIME) {
    const part = phoneNumbers.slice(at, at + AT_A_TIME)
    await take(await Promise.all(part.map(async (phoneNumber) => ({ phoneNumber, ...litigatorKey(await phoneHash(phoneNumber)) }))))
  }
}

/** Those of the numbers that are on the list. */
export const listedLitigators = async (phoneNumbers: readonly string[]): Promise<Set<string>> => {
  const listed = new Set<string>()
  await inParts(phoneNumbers, async (part) => {
    const keys = part.map(({ pk, sk }) => ({ pk, sk }))
    const found = new Set((await batchGet(AtKey, keys, { consistent: true })).map(({ pk }) => pk))
    for (const { pk, phoneNumber } of part) if (found.has(pk)) listed.add(phoneNumber)
  })
  return listed
}

/** Enters many, whether or not they are on the list. */
export const listLitigators = (phoneNumbers: readonly string[]): Promise<void> =>
  inParts(phoneNumbers, (part) => batchPut(part.map(({ pk, sk }) => ({ pk, sk }))))

export const delistLitigator = async (phoneNumber: string): Promise<boolean> => deleteItem(litigatorKey(await phoneHash(phoneNumber)))

export const listLitigator = async (phoneNumber: string): Promise<void> => putItem({ ...litigatorKey(await phoneHash(phoneNumber)) })
