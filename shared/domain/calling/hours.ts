import type { Instant } from '../../schema/values.ts'
import { DAY, MINUTE, zoneOffset } from '../time.ts'

/** Daily hours in one zone, as minutes from midnight: a call may start from `start` and before `end`. */
export interface Hours {
  readonly zone: string
  readonly start: number
  readonly end: number
  readonly rule: string
  readonly citation: string | null
}

/** A call does not start in the last minute of a window: it would ring after it. */
const MARGIN_MINUTES = 1

/** More days than any closed stretch of these hours lasts. */
const HORIZON_DAYS = 8

const localMidnight = (zone: string, at: Instant): number => Math.floor((at + zoneOffset(zone, at)) / DAY) * DAY

/** The instant at which a zone's clock shows a local time; in a gap, the first instant after it. */
const instantOf = (zone: string, local: number): Instant => {
  const guess = local - zoneOffset(zone, local)
  const instant = local - zoneOffset(zone, guess)
  return Math.max(guess, instant)
}

/** The window of the local day of `at`: from the first lawful start to the last moment before the margin. */
const windowOf = (hours: Hours, at: Instant): { from: Instant; until: Instant } => {
  const midnight = localMidnight(hours.zone, at)
  return {
    from: instantOf(hours.zone, midnight + hours.start * MINUTE),
    until: instantOf(hours.zone, midnight + (hours.end - MARGIN_MINUTES) * MINUTE),
  }
}

/** Whether a call may start at an instant under all of the hours. */
export const mayStart = (all: readonly Hours[], at: Instant): boolean =>
  all.every((hours) => {
    const { from, until } = windowOf(hours, at)
    return from <= at && at < until
  })

const nextStartUnder = (hours: Hours, at: Instant): Instant | null => {
  for (let day = 0; day <= HORIZON_DAYS; day++) {
    const { from, until } = windowOf(hours, at + day * DAY)
    if (from < until && at < until) return Math.max(at, from)
  }
  return null
}

/** The first instant at or after `at` that is lawful under all of the hours; null when there is none. */
export const nextStart = (all: readonly Hours[], at: Instant): Instant | null => {
  const limit = at + HORIZON_DAYS * DAY
  let candidate = at
  while (candidate <= limit) {
    const current = candidate
    const nexts = all.map((hours) => nextStartUnder(hours, current))
    if (nexts.some((next) => next === null)) return null
    const latest = Math.max(current, ...nexts.map((next) => next ?? current))
    if (latest === current) return current
    candidate = latest
  }
  return null
}

/** The last instant at which a call may still start, of the window that `at` lies in. */
export const lastStart = (all: readonly Hours[], at: Instant): Instant => Math.min(...all.map((hours) => windowOf(hours, at).until - 1))
