import * as v from 'valibot'
import { markChanged } from '../backlog/marks.ts'
import { litigatorHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { DELISTED_PREFIX, delistedLitigatorKey, litigatorKey } from '../platform/keys.ts'
import { batchGet, batchPut } from '../platform/table/batches.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, queryAll } from '../platform/table/table.ts'
import { committedUnlessRefused, transact } from '../platform/table/transactions.ts'
import { absentAsNull, Instant } from '../platform/values/values.ts'
import { phoneHash } from './phone-hash.ts'

/** Whether a phone is on the operator's list of people who sue callers. */
export const isListedLitigator = async (phoneNumber: string): Promise<boolean> =>
  (await getItem(v.unknown(), litigatorKey(await phoneHash(phoneNumber)))) !== undefined

/** Races come from others that write the same entry, or look at its leads. */
const MAX_TRIES = 20

const AtKey = v.object({ pk: v.string() })

/** The number of phone numbers that are hashed and looked up at once. */
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

/** The numbers that are on the list. @param consistent if false, the answer may be a second old, and costs half as much */
export const listedLitigators = async (phoneNumbers: readonly string[], { consistent } = { consistent: true }): Promise<Set<string>> => {
  const listed = new Set<string>()
  await inParts(phoneNumbers, async (part) => {
    const keys = part.map(({ pk, sk }) => ({ pk, sk }))
    const found = new Set((await batchGet(AtKey, keys, { consistent })).map(({ pk }) => pk))
    for (const { pk, phoneNumber } of part) if (found.has(pk)) listed.add(phoneNumber)
  })
  return listed
}

/** When a phone came on the list. Null: before entries had a time. */
const Entry = v.object({ listed_time: absentAsNull(Instant) })
const Delisted = v.object({ listed_time: absentAsNull(Instant), delisted_time: Instant })

/** Enters many numbers that are not on the list. */
export const listLitigators = (phoneNumbers: readonly string[]): Promise<void> =>
  inParts(phoneNumbers, (part) => batchPut(part.map(({ pk, sk }) => ({ pk, sk, listed_time: now() }))))

/** Takes a phone off the list. The sweep then plans again the leads that it held. @returns whether the phone was on the list */
export const delistLitigator = (phoneNumber: string): Promise<boolean> =>
  retryRaces({ tries: MAX_TRIES, lost: 'The entry of a litigator was being written by others' }, async () => {
    const hash = await phoneHash(phoneNumber)
    const entry = await getItem(Entry, litigatorKey(hash))
    const taken = { delete: litigatorKey(hash), condition: 'attribute_exists(pk)' }
    const kept = { put: { ...delistedLitigatorKey(hash, now()), ...entry, delisted_time: now() } }
    return committedUnlessRefused(await transact([taken, kept, markChanged(litigatorHolder(hash), now())]))
  })

/** The times at which a phone was on the list, the earliest first. `delisted_time`: null while it is on the list. */
export const litigatorHistory = async (phoneNumber: string) => {
  const hash = await phoneHash(phoneNumber)
  const entry = await getItem(Entry, litigatorKey(hash))
  const former = await queryAll(Delisted, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': litigatorKey(hash).pk, ':prefix': DELISTED_PREFIX },
    ConsistentRead: true,
  })
  return [...former, ...(entry ? [{ ...entry, delisted_time: null }] : [])]
}
