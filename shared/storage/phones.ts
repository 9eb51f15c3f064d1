import { phoneHash } from '../adapters/phone-hash.ts'
import { Phone } from '../schema/compliance.ts'
import { type Key, phoneKey } from './keys.ts'
import { getItem, ifConditionHolds, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

const at = (pk: string): Key => ({ pk, sk: 'PHONE' })

/** Partition key of a phone in a DNC group. */
export const phonePk = async (group: string, phoneNumber: string): Promise<string> => phoneKey(group, await phoneHash(phoneNumber)).pk

/** A phone that nobody has called or stopped is an empty one, of version 0. */
export const getPhone = async (pk: string): Promise<Phone> =>
  (await getItem(Phone, at(pk))) ?? { call_dnc: false, sms_dnc: false, current_call: null, attempts: [], version: 0 }

/**
 * A write of the dial transaction: the phone takes the call, unless anything about it has changed since it was read.
 * `attempts`: those of the last 24 hours, this one included.
 */
export const takePhone = (pk: string, read: Phone, call: string, attempts: readonly number[]): Write => ({
  update: at(pk),
  expression: 'SET current_call = :call, attempts = :attempts ADD version :one',
  condition: read.version === 0 ? 'attribute_not_exists(version)' : 'version = :version',
  values: { ':call': call, ':attempts': attempts, ':one': 1, ...(read.version !== 0 && { ':version': read.version }) },
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

/** Channels that a person can ask not to be contacted on. */
export const CHANNELS = ['call', 'sms'] as const
export type Channel = (typeof CHANNELS)[number]

/** Raises "do not contact" on the phone. From here on no dial intent to it can be committed. Safe to repeat. */
export const raiseDnc = async (pk: string, channel: Channel): Promise<void> => {
  await updateItem(at(pk), {
    UpdateExpression: 'SET #flag = :raised ADD version :one',
    ExpressionAttributeNames: { '#flag': `${channel}_dnc` },
    ExpressionAttributeValues: { ':raised': true, ':one': 1 },
  })
}
