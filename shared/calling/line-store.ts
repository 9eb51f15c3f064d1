import * as v from 'valibot'
import { linesKey } from '../platform/keys.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { Lines } from '../stops/compliance.ts'

export const getLines = async (owner: number): Promise<Lines> => v.parse(Lines, (await getItem(Lines, linesKey(owner))) ?? {})

/**
 * A write of the dial transaction: takes a line for a lead. It requires that one of `limit` lines is free, and that no pause covers the
 * lead's position.
 */
export const takeLine = (owner: number, call: string, { position, limit }: { position: number; limit: number }): Write => ({
  update: linesKey(owner),
  expression: 'ADD calls :call',
  condition: [
    '(attribute_not_exists(calls) OR size(calls) < :limit)',
    '(attribute_not_exists(paused) OR paused = :no)',
    '(attribute_not_exists(paused_upto) OR paused_upto < :position)',
  ].join(' AND '),
  values: { ':call': new Set([call]), ':limit': limit, ':no': false, ':position': position },
})

/** A write of a transaction: takes a line even beyond the limit. An inbound caller does not wait. */
export const addLine = (owner: number, call: string): Write => ({
  update: linesKey(owner),
  expression: 'ADD calls :call',
  values: { ':call': new Set([call]) },
})

/** Frees the line of a call that is over. Safe to repeat. @returns the lines afterwards */
export const releaseLine = async (owner: number, call: string): Promise<Lines> => {
  const lines = await updateItem(linesKey(owner), {
    UpdateExpression: 'DELETE calls :call',
    ExpressionAttributeValues: { ':call': new Set([call]) },
    ReturnValues: 'ALL_NEW',
  })
  return v.parse(Lines, lines ?? {})
}

/** A note of this age is renewed, so that it is not removed while leads come to wait. */
const RENEWED_AFTER = 5 * SECOND
/** The index may not show younger leads yet. */
const FORGOTTEN_AFTER = 10 * SECOND

/** Notes that due leads wait for a line. Must be followed by another look at the lines: the last call may have ended before the note. */
export const noteWaiting = async (owner: number, { waiting_time }: Lines, at: Instant): Promise<void> => {
  if (waiting_time !== null && waiting_time >= at - RENEWED_AFTER) return
  await ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: 'SET waiting_time = :at',
      ConditionExpression: 'attribute_not_exists(waiting_time) OR waiting_time < :old',
      ExpressionAttributeValues: { ':at': at, ':old': at - RENEWED_AFTER },
    }),
  )
}

/** Removes the note once no lead waits. */
export const forgetWaiting = async (owner: number, { waiting_time }: Lines, at: Instant): Promise<void> => {
  if (waiting_time === null || waiting_time > at - FORGOTTEN_AFTER) return
  await ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: 'REMOVE waiting_time',
      ConditionExpression: 'waiting_time = :read',
      ExpressionAttributeValues: { ':read': waiting_time },
    }),
  )
}

/** Pauses all of an owner's leads. From here on no dial intent to them can be committed. */
export const pauseLines = async (owner: number): Promise<void> => {
  await updateItem(linesKey(owner), { UpdateExpression: 'SET paused = :yes', ExpressionAttributeValues: { ':yes': true } })
}

/** As `pauseLines`, for the leads up to a position in the owner's list. It never lowers the position of an earlier pause. */
export const pauseLinesUpTo = async (owner: number, position: number): Promise<void> => {
  await ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: 'SET paused_upto = :position',
      ConditionExpression: 'attribute_not_exists(paused_upto) OR paused_upto < :position',
      ExpressionAttributeValues: { ':position': position },
    }),
  )
}

/** A write of a transaction that ends both kinds of pause. */
export const unpauseLines = (owner: number): Write => ({ update: linesKey(owner), expression: 'REMOVE paused, paused_upto' })
