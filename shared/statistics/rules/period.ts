import { dayOf } from '../../platform/values/day.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'

/** Days of UTC, as YYYY-MM-DD. Both are included. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** Days of the period when a request names none. */
export const USUAL_DAYS = 30
/** Most days of a period. They bound the items that a request reads. */
export const LONGEST_PERIOD = 92

const startOf = (day: string): Instant => Date.parse(`${day}T00:00:00Z`)

/** The day that is some days later, or earlier. */
export const daysAfter = (day: string, days: number): string => dayOf(startOf(day) + days * DAY)

/** Number of days of a period: zero or less when it ends before it begins. */
export const dayCount = ({ from, to }: Period): number => Math.round((startOf(to) - startOf(from)) / DAY) + 1

/** The days of a period, in their order. */
export const daysOf = (period: Period): string[] => Array.from({ length: dayCount(period) }, (_, index) => daysAfter(period.from, index))

/** The days that a request means. Without an end, the period ends today. Without a beginning, it has the usual length. */
export const periodAsked = ({ from, to }: Partial<Period>, now: Instant): Period => {
  const last = to ?? dayOf(now)
  return { from: from ?? daysAfter(last, 1 - USUAL_DAYS), to: last }
}

/** Why a period cannot be shown, by the end to blame. Undefined: it can be shown. */
export const faultOfPeriod = (period: Period): { readonly name: keyof Period; readonly message: string } | undefined => {
  const length = dayCount(period)
  if (length < 1) return { name: 'to', message: `The period is empty: it ends on ${period.to}, before it begins on ${period.from}.` }
  if (length <= LONGEST_PERIOD) return undefined
  return { name: 'from', message: `Ensure the period has no more than ${LONGEST_PERIOD} days. It has ${length}.` }
}
