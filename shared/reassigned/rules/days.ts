import { dayOf } from '../../platform/values/day.ts'
import { DAY, HOUR } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'

/** The earliest day on which an instant was anywhere: a question about it covers the instant by every clock. */
export const earliestDayOf = (at: Instant): string => dayOf(at - 12 * HOUR)

/** The days of a month on which the database may change. Carriers report on the 15th. When exactly the new data count is not written. */
const CHANGES_FROM = 15
const CHANGED_ON = 17

/**
 * The first day whose answers count at an instant. On the days on which the database may change, only answers of the same day count.
 * @param longest how many days an answer counts
 */
export const answersSince = (now: Instant, longest: number): string => {
  const date = new Date(now)
  const day = date.getUTCDate()
  const month = day < CHANGES_FROM ? date.getUTCMonth() - 1 : date.getUTCMonth()
  const changed = Date.UTC(date.getUTCFullYear(), month, day < CHANGES_FROM ? CHANGED_ON : Math.min(day, CHANGED_ON))
  return dayOf(Math.max(changed, now - longest * DAY))
}

const DAY_FORM = /^\s*(\d{4}-\d\d-\d\d)(?:[T ].*)?$/

/** The day that a text begins with; undefined when there is no such day, or it is still to come. */
export const pastDay = (value: unknown, now: Instant): string | undefined => {
  const [, day = ''] = (typeof value === 'string' && DAY_FORM.exec(value)) || []
  const at = Date.parse(day)
  return Number.isNaN(at) || at > now || dayOf(at) !== day ? undefined : day
}

/** The start of the day that a text begins with, if that is within the next 24 hours: somewhere, this day is today. */
export const comingDay = (value: unknown, now: Instant): Instant | undefined => {
  const day = pastDay(value, now + DAY)
  const at = day === undefined ? now : Date.parse(day)
  return at > now ? at : undefined
}
