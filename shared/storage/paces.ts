import * as v from 'valibot'
import { DAY } from '../domain/durations.ts'
import { nextTurn, type Pace, type Turn } from '../domain/webhooks/pace.ts'
import type { Instant } from '../schema/values.ts'
import { expiresAt, inSeconds, isKept } from './expiry.ts'
import { paceKey } from './keys.ts'
import { retryRaces } from './retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from './table.ts'

const MAX_TRIES = 20
const KEPT = 7 * DAY

/** What is not there is not known: nothing but that the destination is slow. */
const Stored = v.object({
  next_turn: v.optional(v.number(), 0),
  duration_ms: v.optional(v.number(), 10_000),
  timeouts: v.optional(v.number(), 0),
  expires_at: v.optional(v.number(), 0),
})

const getPace = async (subscription: number, at: Instant): Promise<Pace> => {
  const stored = await getItem(Stored, paceKey(subscription))
  return stored && isKept(stored, at) ? stored : v.parse(Stored, {})
}

/** Takes the next turn at a slow destination, unless there are too many before it. */
export const takeTurn = (subscription: number, at: Instant): Promise<Turn> =>
  retryRaces({ tries: MAX_TRIES, lost: `Lost the race for a turn at the destination of subscription ${subscription}` }, async () => {
    const pace = await getPace(subscription, at)
    const turn = nextTurn(pace, at, Math.random())
    if (turn.next === null) return turn
    const taken = await ifConditionHolds(
      updateItem(paceKey(subscription), {
        UpdateExpression: 'SET next_turn = :next, expires_at = :expiry',
        ConditionExpression: 'attribute_not_exists(next_turn) OR next_turn = :seen OR expires_at <= :now',
        ExpressionAttributeValues: {
          ':next': turn.next,
          ':expiry': expiresAt(at, KEPT),
          ':seen': pace.next_turn,
          ':now': inSeconds(at),
        },
      }),
    )
    return taken ? turn : undefined
  })

/** Notes an attempt at a slow destination that was not answered. Those that ran at the same time count once: they say no more than one. */
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

/** Notes an answer of a slow destination. A quick one lets the next attempt begin at once. @returns how many in a row were quick */
export const noteAnswer = async (subscription: number, duration: number, isQuick: boolean, at: Instant): Promise<number> => {
  const told = await updateItem(paceKey(subscription), {
    UpdateExpression: `SET duration_ms = :duration, timeouts = :none, expires_at = :expiry${isQuick ? ', next_turn = :at ADD quick :one' : ', quick = :none'}`,
    ExpressionAttributeValues: {
      ':duration': duration,
      ':none': 0,
      ':expiry': expiresAt(at, KEPT),
      ...(isQuick && { ':one': 1, ':at': at }),
    },
    ReturnValues: 'ALL_NEW',
  })
  return v.parse(Answered, told).quick
}

/** Forgets how a destination answered that is slow no more. */
export const forgetPace = async (subscription: number): Promise<void> => {
  await updateItem(paceKey(subscription), { UpdateExpression: 'REMOVE next_turn, duration_ms, timeouts, quick, silent_time' })
}
