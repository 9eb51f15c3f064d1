import { dayOf } from '../../../platform/values/day.ts'
import { DAY } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { DaySpan } from '../rules.ts'
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

/** When a rule is in force, also where it holds in a zone on some of these days only. */
const datesOf = ({ ruleDays, from, until }: Hours): DaySpan => ruleDays ?? { from, until }

/** The dates of rules, each rule and date once. */
export const ruleDates = (hours: readonly Hours[]): RuleDates[] => {
  const dates = hours.map((one) => {
    const { from, until } = datesOf(one)
    return { rule: one.rule, from: dateOf(from), until: dateOf(until) }
  })
  return [...new Map(dates.map((one) => [`${one.rule} ${one.from}`, one])).values()]
}

/** Sentences on the rules that change after an instant, but not after a later one. */
export const changesBetween = (hours: readonly Hours[], at: Instant, later: Instant): string[] =>
  hours
    .map((one) => ({ rule: one.rule, zone: one.zone, from: datesOf(one).from }))
    .filter(({ zone, from }) => localDay(zone, at).day < from && from <= localDay(zone, later).day)
    .map(({ rule, from }) => `The rules of ${rule} change on ${dateOf(from)}, before the next time.`)
