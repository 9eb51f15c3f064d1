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

/** Midnight of the local day of an instant, as a clock of the zone shows it: milliseconds of a local time, not an instant. */
const localMidnight = (zone: string, at: Instant): number => Math.floor((at + zoneOffset(zone, at)) / DAY) * DAY

/** The first instant at which a zone's clock shows a local time; the later reading where the clocks leave that time out. */
const instantOf = (zone: string, local: number): Instant => {
  const readings = [local - zoneOffset(zone, local - DAY), local - zoneOffset(zone, local + DAY)]
  const exact = readings.filter((instant) => instant + zoneOffset(zone, instant) === local)
  return exact.length > 0 ? Math.min(...exact) : Math.max(...readings)
}

/** The window of one local day: from the first lawful start to the last moment before the margin. */
const windowOf = ({ zone, start, end }: Hours, midnight: number): { from: Instant; until: Instant } => ({
  from: instantOf(zone, midnight + start * MINUTE),
  until: instantOf(zone, midnight + (end - MARGIN_MINUTES) * MINUTE),
})

const windowAt = (hours: Hours, at: Instant) => windowOf(hours, localMidnight(hours.zone, at))

/** Whether a call may start at an instant under all of the hours. */
export const mayStart = (all: readonly Hours[], at: Instant): boolean =>
  all.every((hours) => {
    const { from, until } = windowAt(hours, at)
    return from <= at && at < until
  })

const nextStartUnder = (hours: Hours, at: Instant): Instant | null => {
  const today = localMidnight(hours.zone, at)
  for (let day = 0; day <= HORIZON_DAYS; day++) {
    const { from, until } = windowOf(hours, today + day * DAY)
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
export const lastStart = (all: readonly Hours[], at: Instant): Instant => Math.min(...all.map((hours) => windowAt(hours, at).until - 1))
