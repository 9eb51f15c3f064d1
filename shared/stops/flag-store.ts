import * as v from 'valibot'
import { phoneKeyAt } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { ifConditionHolds, onCondition, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import type { Instant } from '../platform/values/values.ts'
import { type Channel, type ListLift, Phone } from './compliance.ts'
import { ifUnchanged } from './phone-store.ts'
import { type StopOrigin, textOfRecord } from './stop-record.ts'
import { moveStopRecords } from './stop-record-store.ts'

/** Writes of the flags of a phone: stops and their lifts. */

/** How a stop or a lift was received. Its record is written with it. */
export interface ReceivedStop {
  /** Acceptance sequence. */
  readonly accepted: string
  /** The user whose request, file or call it came in. Null: the operator's tool. */
  readonly owner: number | null
  readonly origin: StopOrigin
}

interface Raising extends ReceivedStop {
  /** Whether the flag is also entered on the group's list. */
  readonly listed?: boolean
  /** When the person revoked the consent to calls by this stop. Absent: the stop is no revocation. */
  readonly revoked?: Instant | undefined
}

const newRecord = (action: 'stopped' | 'lifted', channels: readonly Channel[], { origin, ...received }: ReceivedStop): Set<string> =>
  new Set([textOfRecord({ ...origin, ...received, action, channels: [...channels] })])

/**
 * Keeps the phone's item small after a record was added. If the move fails, log it and continue: the stop already holds.
 * @returns the phone as it was before
 */
const withRoom = async (pk: string, before: Phone, record: ReadonlySet<string>): Promise<Phone> => {
  await moveStopRecords(pk, new Set([...before.stop_records, ...record])).catch((error: unknown) =>
    logger.warn('The records of a phone were not moved. The next stop of the phone moves them.', { error: loggable(error) }),
  )
  return before
}

/** A later revocation stays. */
const IS_LATEST_REVOCATION = 'attribute_not_exists(call_revoked) OR call_revoked < :revoked'

/**
 * Raises "do not contact" on the phone. From then on, no dial intent to the phone can be committed. Safe to repeat.
 * @returns the phone as it was before
 */
export const raiseDnc = async (pk: string, channels: readonly Channel[], raising: Raising): Promise<Phone> => {
  const { listed = false, revoked, ...received } = raising
  const flags = channels
    .flatMap((channel) => [`${channel}_dnc`, ...(listed ? [`${channel}_listed`] : [])])
    .map((flag) => `${flag} = :raised`)
  const times = channels.map((channel) => `${channel}_stopped = :accepted`)
  const record = newRecord('stopped', channels, received)
  const values = { ':raised': true, ':accepted': received.accepted, ':one': 1, ':record': record }
  const updateOf = (further: readonly string[] = []) => ({
    UpdateExpression: `SET ${[...flags, ...times, ...further].join(', ')} ADD version :one, stop_records :record`,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_OLD' as const,
  })
  const raise = () => updateItem(phoneKeyAt(pk), updateOf())
  const raiseAndRevoke = () =>
    updateItem(phoneKeyAt(pk), {
      ...updateOf(['call_revoked = :revoked']),
      ConditionExpression: IS_LATEST_REVOCATION,
      ExpressionAttributeValues: { ...values, ':revoked': revoked },
    })
  const isRevocation = revoked !== undefined && channels.includes('call')
  const revoking = isRevocation ? await onCondition(raiseAndRevoke()) : { isMet: false as const }
  const before = revoking.isMet ? revoking.result : await raise()
  return withRoom(pk, v.parse(Phone, before ?? {}), record)
}

/**
 * As `raiseDnc`, for a stop that is applied later than it was accepted.
 * @returns undefined when the same stop was raised before, or something accepted later has decided
 */
export const raiseOlderDnc = async (pk: string, channel: Channel, received: ReceivedStop): Promise<Phone | undefined> => {
  const record = newRecord('stopped', [channel], received)
  const before = await onCondition(
    updateItem(phoneKeyAt(pk), {
      UpdateExpression: `SET ${channel}_dnc = :raised, ${channel}_stopped = :accepted ADD version :one, stop_records :record`,
      ConditionExpression: ['stopped', 'lifted']
        .map((time) => `(attribute_not_exists(${channel}_${time}) OR ${channel}_${time} < :accepted)`)
        .join(' AND '),
      ExpressionAttributeValues: { ':raised': true, ':accepted': received.accepted, ':one': 1, ':record': record },
      ReturnValues: 'ALL_OLD',
    }),
  )
  return before.isMet ? withRoom(pk, v.parse(Phone, before.result ?? {}), record) : undefined
}

/** Notes when the person revoked the consent to calls, unless a later revocation is noted. */
export const noteRevocation = async (pk: string, revoked: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(phoneKeyAt(pk), {
      UpdateExpression: 'SET call_revoked = :revoked ADD version :one',
      ConditionExpression: IS_LATEST_REVOCATION,
      ExpressionAttributeValues: { ':revoked': revoked, ':one': 1 },
    }),
  )
}

/** A write of a transaction: lifts flags of the phone, unless the phone has changed since it was read. */
export const liftDnc = (pk: string, read: Phone, channels: readonly Channel[], received: ReceivedStop): Write => {
  const lifted = channels.flatMap((channel) => [`${channel}_dnc = :no`, `${channel}_lifted = :accepted`])
  // A flag may be up on the lead only: then it was lifted from the phone before, with a record.
  const raised = channels.filter((channel) => read[`${channel}_dnc`])
  return {
    update: phoneKeyAt(pk),
    expression: `SET ${lifted.join(', ')} ADD version :one${raised.length > 0 ? ', stop_records :record' : ''}`,
    ...ifUnchanged(read, {
      ...{ ':no': false, ':accepted': received.accepted, ':one': 1 },
      ...(raised.length > 0 && { ':record': newRecord('lifted', raised, received) }),
    }),
  }
}

/** Empties the reasons of the first lifts from the list. Later lifts are appended, so they keep theirs. */
export const forgetReasons = async (pk: string, lifts: number): Promise<void> => {
  if (lifts === 0) return
  await ifConditionHolds(
    updateItem(phoneKeyAt(pk), {
      UpdateExpression: `SET ${Array.from({ length: lifts }, (_, at) => `list_lifts[${at}].reason = :none`).join(', ')}`,
      ConditionExpression: 'size(list_lifts) >= :lifts',
      ExpressionAttributeValues: { ':none': '', ':lifts': lifts },
    }),
  )
}

/**
 * Takes flags of the phone off the group's list, with the reason, unless the phone has changed since it was read.
 * @returns false when the phone has changed
 */
export const liftFromList = (pk: string, read: Phone, lift: ListLift, accepted: string): Promise<boolean> => {
  const lifted = lift.channels.flatMap((channel) => [`${channel}_dnc = :no`, `${channel}_listed = :no`, `${channel}_lifted = :accepted`])
  const { condition, values } = ifUnchanged(read, { ':no': false, ':accepted': accepted, ':none': [], ':lift': [lift], ':one': 1 })
  return ifConditionHolds(
    updateItem(phoneKeyAt(pk), {
      UpdateExpression: `SET ${lifted.join(', ')}, list_lifts = list_append(if_not_exists(list_lifts, :none), :lift) ADD version :one`,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
    }),
  )
}
