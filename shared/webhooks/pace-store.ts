import * as v from 'valibot'
import { paceKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { shareLoads } from '../platform/table/share-loads.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import { setLatest } from '../platform/values/latest.ts'
import { absentAsNull, Instant } from '../platform/values/values.ts'
import { allowance } from './rules/pace.ts'

const KEPT = 7 * DAY

/** Missing values mean that nothing is known, except that the destination is slow. */
const Stored = v.object({
  /** Start of the current span, and how many attempts have begun in it. */
  span_began: v.optional(v.number(), 0),
  begun: v.optional(v.number(), 0),
  duration_ms: v.optional(v.number(), 15_000),
  timeouts: v.optional(v.number(), 0),
})

const beginSpan = (subscription: number, seen: Instant, at: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(paceKey(subscription), {
      UpdateExpression: 'SET span_began = :at, begun = :one, expires_at = :expiry',
      ConditionExpression: 'attribute_not_exists(span_began) OR span_began = :seen',
      ExpressionAttributeValues: { ':at': at, ':one': 1, ':expiry': expiresAt(at, KEPT), ':seen': seen },
    }),
  )

/** The deliveries of a batch ask together. An outdated pace does no harm: the writes have conditions. */
const readPace = shareLoads(async (subscription: number) => (await getItem(Stored, paceKey(subscription))) ?? v.parse(Stored, {}))

/** When the spans of slow destinations end that had no turn left, as far as this process knows. The last one is at the end. */
const fullUntil = new Map<number, Instant>()
const MOST_REMEMBERED = 1_000

/**
 * Takes a turn at a slow destination. A refusal costs a read, but only one per process and span: all deliveries that wait for a busy dead
 * destination ask for this item. A request that loses the race to open a span takes another turn of it.
 * @returns false when the span has no turn left
 */
export const takeSendTurn = async (subscription: number, at: Instant): Promise<boolean> => {
  if (at < (fullUntil.get(subscription) ?? 0)) return false
  const pace = await readPace(subscription)
  const { room, span } = allowance(pace)
  const isOver = pace.span_began + span <= at
  if (isOver && (await beginSpan(subscription, pace.span_began, at))) return true
  if (!isOver && pace.begun >= room) {
    setLatest(fullUntil, subscription, pace.span_began + span, MOST_REMEMBERED)
    return false
  }
  return ifConditionHolds(
    updateItem(paceKey(subscription), {
      UpdateExpression: 'ADD begun :one',
      ConditionExpression: 'span_began > :over AND begun < :room',
      ExpressionAttributeValues: { ':one': 1, ':over': at - span, ':room': room },
    }),
  )
}

/**
 * Records an attempt without an answer at a slow destination. Attempts at the same time count once, because they prove no more than one.
 */
export const noteSilence = async (subscription: number, duration: number, at: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(paceKey(subscription), {
      UpdateExpression: 'SET duration_ms = :duration, quick = :none, silent_time = :at, expires_at = :expiry ADD timeouts :one',
      ConditionExpression: 'attribute_not_exists(silent_time) OR silent_time <= :begun',
      ExpressionAttributeValues: {
        ':duration': duration,
        ':none': 0,
        ':one': 1,
        ':at': at,
        ':begun': at - duration,
        ':expiry': expiresAt(at, KEPT),
      },
    }),
  )
}

const Answered = v.object({ quick: v.optional(v.number(), 0) })

/**
 * Records an answer of a slow destination. Its duration sets the pace of the next attempts. @returns how many quick answers came in a row
 */
export const noteAnswer = async (subscription: number, duration: number, isQuick: boolean, at: Instant): Promise<number> => {
  fullUntil.delete(subscription)
  const updated = await updateItem(paceKey(subscription), {
    UpdateExpression: `SET duration_ms = :duration, timeouts = :none, expires_at = :expiry${isQuick ? ' ADD quick :one' : ', quick = :none'}`,
    ExpressionAttributeValues: { ':duration': duration, ':none': 0, ':expiry': expiresAt(at, KEPT), ...(isQuick && { ':one': 1 }) },
    ReturnValues: 'ALL_NEW',
  })
  return v.parse(Answered, updated).quick
}

/** Deletes the pace of a destination that is no longer slow, and records when it left the slow lane. */
export const forgetPace = async (subscription: number, at: Instant): Promise<void> => {
  fullUntil.delete(subscription)
  await updateItem(paceKey(subscription), {
    UpdateExpression: 'SET left_time = :at, expires_at = :expiry REMOVE span_began, begun, duration_ms, timeouts, quick, silent_time',
    ExpressionAttributeValues: { ':at': at, ':expiry': expiresAt(at, KEPT) },
  })
}

const Left = v.object({ left_time: absentAsNull(Instant) })

/** When a destination last left the slow lane, if it was within the last days. */
export const leftSlowLane = async (subscription: number): Promise<Instant | null> =>
  (await getItem(Left, paceKey(subscription)))?.left_time ?? null
