import * as v from 'valibot'
import { phoneKey, phoneKeyAt } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import type { Instant } from '../platform/values/values.ts'
import { NEW_PHONE, Phone } from './compliance.ts'
import { phoneHash } from './phone-hash.ts'

/** Partition key of a phone in a DNC group. */
export const phonePk = async (group: string, phoneNumber: string): Promise<string> => phoneKey(group, await phoneHash(phoneNumber)).pk

export const getPhone = async (pk: string): Promise<Phone> => (await getItem(Phone, phoneKeyAt(pk))) ?? NEW_PHONE

const PhoneItem = v.object({ pk: v.string(), ...Phone.entries })

/** As `getPhone`, for many phones, by partition key. */
export const getPhones = async (pks: readonly string[]): Promise<Map<string, Phone>> => {
  const found = await batchGet(PhoneItem, pks.map(phoneKeyAt), { consistent: true })
  const known = new Map(found.map(({ pk, ...phone }) => [pk, phone]))
  return new Map(pks.map((pk) => [pk, known.get(pk) ?? NEW_PHONE]))
}

/** How an inbound call holds a phone. */
interface Joining {
  /** Whether the inbound call becomes the phone's current call. */
  readonly isCurrent: boolean
  /** The current call until now, if it may still be on the phone. */
  readonly beside: readonly string[]
}

export const ifUnchanged = (read: Phone, values: Record<string, unknown>) =>
  read.version === 0
    ? { condition: 'attribute_not_exists(version)', values }
    : { condition: 'version = :version', values: { ...values, ':version': read.version } }

/**
 * A write of the dial transaction: records the call on the phone's item, unless the item has changed since it was read. `attempts`: every
 * attempt of the last 24 hours, this one included.
 */
export const takePhone = (pk: string, read: Phone, call: string, attempts: readonly number[]): Write => ({
  update: phoneKeyAt(pk),
  expression: 'SET current_call = :call, attempts = :attempts ADD version :one',
  ...ifUnchanged(read, { ':call': call, ':attempts': attempts, ':one': 1 }),
})

/**
 * A write of the transaction that takes an inbound call. The call becomes the current one, and the calls in `beside` keep the phone. Or
 * it joins a current call that stays. It does not count as an attempt, because nobody was dialled.
 */
export const joinPhone = (pk: string, read: Phone, call: string, { isCurrent, beside }: Joining): Write => {
  const others = isCurrent ? beside : [call]
  const adding = ['version :one', ...(others.length > 0 ? ['other_calls :others'] : [])]
  return {
    update: phoneKeyAt(pk),
    expression: `${isCurrent ? 'SET current_call = :call ' : ''}ADD ${adding.join(', ')}`,
    ...ifUnchanged(read, {
      ':one': 1,
      ...(isCurrent && { ':call': call }),
      ...(others.length > 0 && { ':others': new Set(others) }),
    }),
  }
}

/** A write of a transaction: a call that was given up takes its phone again. It fails when another call holds the phone. */
export const retakePhone = (pk: string, call: string): Write => ({
  update: phoneKeyAt(pk),
  expression: 'SET current_call = :call ADD version :one',
  condition: 'attribute_not_exists(current_call) AND attribute_not_exists(other_calls)',
  values: { ':call': call, ':one': 1 },
})

/** The write that ends a call's hold of a phone, as read; undefined when the call does not hold the phone. */
const ending = (phone: Phone, call: string) => {
  if (phone.current_call === call) return { clause: 'REMOVE current_call', condition: 'current_call = :call', values: { ':call': call } }
  if (!phone.other_calls.has(call)) return undefined
  return {
    clause: 'DELETE other_calls :calls',
    condition: 'contains(other_calls, :call)',
    values: { ':call': call, ':calls': new Set([call]) },
  }
}

/** The write of a transaction that ends a call's hold of a phone, as read. None when the call does not hold the phone. */
export const phoneRelease = (pk: string, phone: Phone, call: string): Write[] => {
  const end = ending(phone, call)
  if (!end) return []
  const values = { ...end.values, ':one': 1 }
  return [{ update: phoneKeyAt(pk), expression: `${end.clause} ADD version :one`, condition: end.condition, values }]
}

const MAX_TRIES = 10

/**
 * Ends the hold of a call that is over. Safe to repeat.
 * @param uncounted an attempt to take back, because the provider refused and no phone rang
 * @returns false when the call did not hold the phone
 */
export const releasePhone = (pk: string, call: string, uncounted: Instant | null = null): Promise<boolean> =>
  // An inbound call may replace the current call meanwhile.
  retryRaces({ tries: MAX_TRIES, lost: `A phone changed while call ${call} released it,` }, async () => {
    const phone = await getPhone(pk)
    const end = ending(phone, call)
    if (!end) return false
    const attempts = phone.attempts.filter((instant) => instant !== uncounted)
    const isReleased = await ifConditionHolds(
      updateItem(phoneKeyAt(pk), {
        UpdateExpression: `${uncounted === null ? '' : 'SET attempts = :attempts '}${end.clause} ADD version :one`,
        ConditionExpression: end.condition,
        ExpressionAttributeValues: { ...end.values, ':one': 1, ...(uncounted !== null && { ':attempts': attempts }) },
      }),
    )
    return isReleased || undefined
  })

/**
 * Raises the phone's version, so that dials that have read it fail. While calls are stopped, it does nothing: no dial can succeed, and the
 * lift of the stop raises the version.
 */
export const failDialsUnderWay = async (pk: string): Promise<void> => {
  if ((await getPhone(pk)).call_dnc) return
  await updateItem(phoneKeyAt(pk), { UpdateExpression: 'ADD version :one', ExpressionAttributeValues: { ':one': 1 } })
}
