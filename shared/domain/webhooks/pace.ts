import type { Instant } from '../../schema/values.ts'
import { MINUTE, SECOND } from '../durations.ts'

/** An attempt that lasts longer shows that its destination is slow. */
export const SLOW_AFTER = 2 * SECOND

/** Answers that come sooner than that, in a row, after which a destination is slow no more. */
export const QUICK_ENOUGH = 5

/** Attempts that may be under way to one slow destination. */
const AT_ONCE = 10

/** Between two attempts to a destination that does not answer at all. */
const LONGEST_PAUSE = MINUTE

/** Turns are given no further ahead, so that whoever waits for one soon sees that the destination is back: the sooner the better it answers. */
const TURNS_AHEAD = 20
const LEAST_AHEAD = 30 * SECOND
const MOST_AHEAD = 10 * MINUTE

/** How a slow destination answers. */
export interface Pace {
  /** When the next attempt may begin. */
  readonly next_turn: Instant
  /** How long the last attempt took. */
  readonly duration_ms: number
  /** Attempts in a row without an answer. */
  readonly timeouts: number
}

export interface Turn {
  /** When to make the attempt, or when to ask again. */
  readonly at: Instant
  /** When the one after it may be made; null when this is no turn: there are too many before it. */
  readonly next: Instant | null
}

/**
 * As many attempts run at one moment as the destination has room for: ten by the time that the last one took. Each that
 * is not answered halves that, so that one which is dead is asked once a minute.
 */
const interval = ({ duration_ms, timeouts }: Pace): number => Math.min(LONGEST_PAUSE, Math.max(1, duration_ms / AT_ONCE) * 2 ** timeouts)

/** The next turn at a destination. `chance` (0 to 1) spreads those who are to ask again. */
export const nextTurn = (pace: Pace, now: Instant, chance: number): Turn => {
  const at = Math.max(now, pace.next_turn)
  const pause = interval(pace)
  const ahead = Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, pause * TURNS_AHEAD))
  if (at > now + ahead) return { at: Math.round(now + ahead * (1 + chance / 2)), next: null }
  return { at, next: Math.round(at + pause) }
}
