import { MINUTE, SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'

/** An attempt that lasts longer is slow. It runs on; later deliveries may take the slow lane. */
export const SLOW_AFTER = 2 * SECOND

/** Of so many recent attempts so many that were slow make a slow destination: not one that hangs now and then. */
const RECENT = 10
const SLOW_ENOUGH = 5
const RECENT_FOR = 10 * MINUTE

/** With so many slow requests at one moment, one slow attempt is enough to mark its destination. */
export const CROWDED = 10

/** Slow requests that a run waits for at one moment, at most, while it takes further deliveries. */
export const MOST_SLOW = 50

/** Answers that come sooner than that, in a row, after which a destination is slow no more. */
export const QUICK_ENOUGH = 5

export interface RecentAttempt {
  readonly time: Instant
  readonly wasSlow: boolean
}

/** The attempts that tell how a destination answers now, the last one included. */
export const recentDeliveryAttempts = (before: readonly RecentAttempt[], last: RecentAttempt): readonly RecentAttempt[] =>
  [...before.filter(({ time }) => time > last.time - RECENT_FOR), last].slice(-RECENT)

export const areSlow = (recent: readonly RecentAttempt[]): boolean => recent.filter(({ wasSlow }) => wasSlow).length >= SLOW_ENOUGH

/** Attempts that may be under way to one slow destination. */
export const AT_ONCE = 10

/** How a slow destination answers. */
export interface Pace {
  /** How long the last attempt took. */
  readonly duration_ms: number
  /** Attempts in a row without an answer. */
  readonly timeouts: number
}

/**
 * How many attempts may begin at a slow destination within a span of milliseconds: ten within the time that the last one took. Each one
 * that is not answered halves their number and doubles the time, so that a destination which is dead is asked once a minute.
 */
export const allowance = ({ duration_ms, timeouts }: Pace): { readonly room: number; readonly span: number } => ({
  room: Math.max(1, Math.floor(AT_ONCE / 2 ** timeouts)),
  span: Math.min(MINUTE, Math.max(1, duration_ms) * 2 ** timeouts),
})

/** Seconds. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 600

/**
 * Seconds until a delivery that waits for its turn at a slow destination asks again: about twice as long as it waited `last`, so that
 * those which wait for long cost little. `chance` (0 to 1) spreads them by a quarter.
 */
export const nextWait = (last: number, chance: number): number =>
  Math.round(Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, last * 2)) * (0.75 + chance / 2))
