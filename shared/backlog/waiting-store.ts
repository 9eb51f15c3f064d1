import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { linesKey } from '../platform/keys.ts'
import { ifConditionHolds, onCondition, updateItem } from '../platform/table/table.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { Lines } from '../stops/compliance.ts'
import { CLOCKS, type QueuedFill } from './rules/fill-turn.ts'

/** Notes about the leads of an owner that wait for a line: whether there are any, and when lines are filled. */

/** A note of this age is renewed, so that it is not removed while leads come to wait. */
const RENEWED_AFTER = 5 * SECOND
/** The index may not show younger leads yet. */
const FORGOTTEN_AFTER = 10 * SECOND

/**
 * Notes that due leads wait for a line. Must be followed by another look at the lines: the last call may have ended before the note.
 * @returns the time of the note that holds
 */
export const noteWaiting = async (owner: number, { waiting_time }: Lines, at: Instant): Promise<Instant> => {
  if (waiting_time !== null && waiting_time >= at - RENEWED_AFTER) return waiting_time
  await ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: 'SET waiting_time = :at',
      ConditionExpression: 'attribute_not_exists(waiting_time) OR waiting_time < :old',
      ExpressionAttributeValues: { ':at': at, ':old': at - RENEWED_AFTER },
    }),
  )
  return at
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

/** Notes that the leads due before an instant are sent. */
export const noteSent = async (owner: number, until: Instant): Promise<void> => {
  await updateItem(linesKey(owner), { UpdateExpression: 'SET sent_until = :until', ExpressionAttributeValues: { ':until': until } })
}

const linesAfter = async (update: Promise<unknown>): Promise<Lines | undefined> => {
  const updated = await onCondition(update)
  return updated.isMet ? v.parse(Lines, updated.result) : undefined
}

/** Counts a refused lead for the fill that is queued. */
export const countRefused = async (owner: number): Promise<void> => {
  await updateItem(linesKey(owner), { UpdateExpression: 'ADD refused :one', ExpressionAttributeValues: { ':one': 1 } })
}

interface FillTurn {
  /** The next `fill_time`. */
  readonly next: Instant
  /** Whether a lead that was refused passes its line on. */
  readonly isRefused: boolean
}

/**
 * Takes a turn to fill free lines, and sets the next `fill_time`.
 * @returns the owner's lines now; undefined when another worker took a turn since the lines were read
 */
export const takeFill = (owner: number, { fill_time }: Lines, { next, isRefused }: FillTurn): Promise<Lines | undefined> =>
  linesAfter(
    updateItem(linesKey(owner), {
      UpdateExpression: `SET fill_time = :next, fill_token = :token${isRefused ? ' ADD refused :one' : ''}`,
      // The SDK repeats a write whose answer was lost. The repeat finds the token that the write has set.
      ConditionExpression: `fill_token = :token OR ${fill_time === null ? 'attribute_not_exists(fill_time)' : 'fill_time = :read'}`,
      ExpressionAttributeValues: {
        ':next': next,
        ':token': randomUUID(),
        ...(isRefused && { ':one': 1 }),
        ...(fill_time !== null && { ':read': fill_time }),
      },
      ReturnValues: 'ALL_NEW',
    }),
  )

/**
 * Begins the fill of a message, and the count of refused leads for the next one.
 * @returns the owner's lines before; undefined when this fill began before, or another one is under way or (unless this one is late) queued
 */
export const beginFill = (owner: number, { queued, at, next, later }: QueuedFill): Promise<Lines | undefined> =>
  linesAfter(
    updateItem(linesKey(owner), {
      UpdateExpression: 'SET fill_time = :next REMOVE refused',
      // The SDK repeats a write whose answer was lost. The repeat finds the time that the write has set. No time: the turn was given back,
      // although the queue has the message.
      ConditionExpression: `attribute_not_exists(fill_time) OR fill_time IN (:queued, :next) OR fill_time < :at${later === undefined ? '' : ' OR fill_time > :later'}`,
      ExpressionAttributeValues: { ':queued': queued, ':at': at, ':next': next, ...(later !== undefined && { ':later': later }) },
      ReturnValues: 'ALL_OLD',
    }),
  )

/**
 * A turn to send blocked leads is over after this time, unless the dial of its last lead ends it before. If the message of that lead is lost,
 * free lines wait for this time and for the sweep after it.
 */
const BLOCKED_TURN = 30 * SECOND

/**
 * Takes the turn to send an owner's blocked leads. Without turns, each fill would send the same leads again while their messages wait.
 * @returns false while another turn lasts
 */
export const takeBlockedTurn = (owner: number, at: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: 'SET blocked_time = :at',
      // A later time: the clock was set back. The same time: the SDK repeats a write whose answer was lost.
      ConditionExpression: 'attribute_not_exists(blocked_time) OR blocked_time = :at OR blocked_time < :over OR blocked_time > :later',
      ExpressionAttributeValues: { ':at': at, ':over': at - BLOCKED_TURN, ':later': at + CLOCKS },
    }),
  )

/** Ends a turn, unless another one has begun. */
const endTurn = async (owner: number, name: 'blocked_time' | 'fill_time', turn: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: `REMOVE ${name}`,
      ConditionExpression: `${name} = :turn`,
      ExpressionAttributeValues: { ':turn': turn },
    }),
  )
}

/** Ends a turn to send blocked leads. */
export const endBlockedTurn = (owner: number, turn: Instant): Promise<void> => endTurn(owner, 'blocked_time', turn)

/** Ends a turn whose fill message could not be sent. */
export const endFill = (owner: number, fillTime: Instant): Promise<void> => endTurn(owner, 'fill_time', fillTime)
