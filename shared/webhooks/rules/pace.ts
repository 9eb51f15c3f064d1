import { MINUTE, SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'

/** Milliseconds. A longer attempt is slow. It continues, and later deliveries may take the slow lane. */
export const SLOW_AFTER = 2 * SECOND

/** A destination is slow when `SLOW_ENOUGH` of its last `RECENT` attempts were slow. One slow attempt now and then does not count. */
const RECENT = 10
const SLOW_ENOUGH = 5
const RECENT_FOR = 10 * MINUTE

/** With this many slow requests at the same time, one slow attempt marks its destination. */
export const CROWDED = 10

/** Most slow requests that one run waits for while it takes further deliveries. */
export const MOST_OPEN = 50

/** Quick answers in a row, after which a destination is no longer slow. */
export const QUICK_ENOUGH = 5

export interface RecentAttempt {
  readonly time: Instant
  readonly wasSlow: boolean
}

/** The attempts that show how a destination answers now, including the last one. */
export const recentDeliveryAttempts = (before: readonly RecentAttempt[], last: RecentAttempt): readonly RecentAttempt[] =>
  [...before.filter(({ time }) => time > last.time - RECENT_FOR), last].slice(-RECENT)

export const areSlow = (recent: readonly RecentAttempt[]): boolean => recent.filter(({ wasSlow }) => wasSlow).length >= SLOW_ENOUGH

/** Most concurrent attempts to one slow destination. */
export const AT_ONCE = 10

/** How a slow destination answers. */
export interface Pace {
  /** Milliseconds of the last attempt. */
  readonly duration_ms: number
  /** Attempts in a row without an answer. */
  readonly timeouts: number
}

/**
 * How many attempts (`room`) may begin at a slow destination within `span` milliseconds. The base is ten attempts within the duration of
 * the last one. Each attempt without an answer halves the room and doubles the span. A dead destination gets one attempt per minute.
 */
export const allowance = ({ duration_ms, timeouts }: Pace): { readonly room: number; readonly span: number } => ({
  room: Math.max(1, Math.floor(AT_ONCE / 2 ** timeouts)),
  span: Math.min(MINUTE, Math.max(1, duration_ms) * 2 ** timeouts),
})

/** Seconds. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 600

/**
 * Seconds until a waiting delivery asks again for its turn at a slow destination. It is about twice the `last` wait, so that long waits
 * cost little. `chance` (0 to 1) spreads it by a quarter.
 */
export const nextWait = (last: number, chance: number): number =>
  Math.round(Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, last * 2)) * (0.75 + chance / 2))
