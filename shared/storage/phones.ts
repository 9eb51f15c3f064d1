import * as v from 'valibot'
import { phoneHash } from '../adapters/phone-hash.ts'
import { type Channel, Phone } from '../schema/compliance.ts'
import { batchGet } from './batches.ts'
import { type Key, phoneKey } from './keys.ts'
import { getItem, ifConditionHolds, onCondition, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

const at = (pk: string): Key => ({ pk, sk: 'PHONE' })

/** Partition key of a phone in a DNC group. */
export const phonePk = async (group: string, phoneNumber: string): Promise<string> => phoneKey(group, await phoneHash(phoneNumber)).pk

/** A phone that nobody has called or stopped is an empty one, of version 0. */
export const getPhone = async (pk: string): Promise<Phone> => (await getItem(Phone, at(pk))) ?? v.parse(Phone, {})

const PhoneItem = v.object({ pk: v.string(), ...Phone.entries })

/** As `getPhone`, of many, by their partition keys. */
export const getPhones = async (pks: readonly string[]): Promise<Map<string, Phone>> => {
  const found = await batchGet(PhoneItem, pks.map(at), { consistent: true })
  const known = new Map(found.map(({ pk, ...phone }) => [pk, phone]))
  return new Map(pks.map((pk) => [pk, known.get(pk) ?? v.parse(Phone, {})]))
}

const ifUnchanged = (read: Phone, values: Record<string, unknown>) =>
  read.version === 0
    ? { condition: 'attribute_not_exists(version)', values }
    : { condition: 'version = :version', values: { ...values, ':version': read.version } }

/**
 * A write of the dial transaction: the phone takes the call, unless anything about it has changed since it was read.
 * `attempts`: those of the last 24 hours, this one included.
 */
export const takePhone = (pk: string, read: Phone, call: string, attempts: readonly number[]): Write => ({
  update: at(pk),
  expression: 'SET current_call = :call, attempts = :attempts ADD version :one',
  ...ifUnchanged(read, { ':call': call, ':attempts': attempts, ':one': 1 }),
})

/** Frees the phone of a call that is over. Safe to repeat. @returns false when the phone was not that call's. */
export const releasePhone = (pk: string, call: string): Promise<boolean> =>
  ifConditionHolds(
    updateItem(at(pk), {
      UpdateExpression: 'REMOVE current_call ADD version :one',
      ConditionExpression: 'current_call = :call',
      ExpressionAttributeValues: { ':call': call, ':one': 1 },
    }),
  )

/** Frees the phone and takes an attempt back: the provider refused, nobody's phone rang. Safe to repeat. */
export const releaseUnrungPhone = (pk: string, call: string, attempts: readonly number[]): Promise<boolean> =>
  ifConditionHolds(
    updateItem(at(pk), {
      UpdateExpression: 'SET attempts = :attempts REMOVE current_call ADD version :one',
      ConditionExpression: 'current_call = :call',
      ExpressionAttributeValues: { ':call': call, ':attempts': attempts, ':one': 1 },
    }),
  )

interface Raising {
  /** Acceptance sequence of the stop. */
  readonly accepted: string
  /** Whether the flag is entered on the group's list, too. */
  readonly listed?: boolean
}

/**
 * Raises "do not contact" on the phone. From here on no dial intent to it can be committed. Safe to repeat.
 * @returns the phone as it was before
 */
export const raiseDnc = async (pk: string, channels: readonly Channel[], { accepted, listed = false }: Raising): Promise<Phone> => {
  const flags = channels
    .flatMap((channel) => [`${channel}_dnc`, ...(listed ? [`${channel}_listed`] : [])])
    .map((flag) => `${flag} = :raised`)
  const times = channels.map((channel) => `${channel}_stopped = :accepted`)
  const before = await updateItem(at(pk), {
    UpdateExpression: `SET ${[...flags, ...times].join(', ')} ADD version :one`,
    ExpressionAttributeValues: { ':raised': true, ':accepted': accepted, ':one': 1 },
    ReturnValues: 'ALL_OLD',
  })
  return v.parse(Phone, before ?? {})
}

/** As `raiseDnc`, for a stop that is made later than it was accepted. @returns undefined when something accepted later has decided. */
export const raiseOlderDnc = async (pk: string, channel: Channel, accepted: string): Promise<Phone | undefined> => {
  const before = await onCondition(
    updateItem(at(pk), {
      UpdateExpression: `SET ${channel}_dnc = :raised, ${channel}_stopped = :accepted ADD version :one`,
      ConditionExpression: ['stopped', 'lifted']
        .map((time) => `(attribute_not_exists(${channel}_${time}) OR ${channel}_${time} <= :accepted)`)
        .join(' AND '),
      ExpressionAttributeValues: { ':raised': true, ':accepted': accepted, ':one': 1 },
      ReturnValues: 'ALL_OLD',
    }),
  )
  return before.held ? v.parse(Phone, before.result ?? {}) : undefined
}

/** A write of a transaction that lifts flags of the phone, unless anything about it has changed since it was read. */
export const liftDnc = (pk: string, read: Phone, channels: readonly Channel[], accepted: string): Write => {
  const lifted = channels.flatMap((channel) => [`${channel}_dnc = :no`, `${channel}_lifted = :accepted`])
  return {
    update: at(pk),
    expression: `SET ${lifted.join(', ')} ADD version :one`,
    ...ifUnchanged(read, { ':no': false, ':accepted': accepted, ':one': 1 }),
  }
}
