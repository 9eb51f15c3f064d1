import { dayOf } from '../../../platform/values/day.ts'
import { DAY } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { type Hours, localDay } from './hours.ts'

/** A rule, and the local days on which it is in force: from the first date on, and until before the second one. */
export interface RuleDates {
  readonly rule: string
  /** Null: since before the data of the rules begins, or always. */
  readonly from: string | null
  /** Null: without an end. */
  readonly until: string | null
}

const dateOf = (day: number): string | null => (Number.isFinite(day) ? dayOf(day * DAY) : null)

/** The dates of rules, each rule and date once. */
export const ruleDates = (hours: readonly Hours[]): RuleDates[] => {
  const dates = hours.map(({ rule, ruleDays, ...here }) => {
    const { from, until } = ruleDays ?? here
    return { rule, from: dateOf(from), until: dateOf(until) }
  })
  return [...new Map(dates.map((one) => [`${one.rule} ${one.from}`, one])).values()]
}

/** Sentences on the rules that change after an instant, but not after a later one. */
export const changesBetween = (hours: readonly Hours[], at: Instant, later: Instant): string[] =>
  hours
    .filter(({ zone, from }) => localDay(zone, at).day < from && from <= localDay(zone, later).day)
    .map(({ rule, from }) => `The rules of ${rule} change on ${dateOf(from)}, before the next time.`)
