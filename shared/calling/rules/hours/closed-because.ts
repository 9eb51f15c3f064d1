import { dayOf } from '../../../platform/values/day.ts'
import { DAY, MINUTE } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { DayWindow } from '../calling-rules.ts'
import { holidayOn, weekdayOf } from './holidays.ts'
import { closedAt, type Hours, localDay, windowOn } from './hours.ts'

export type ClosedReason = 'NO_LOCAL_TIME' | 'EMERGENCY' | 'CLOSED_DATE' | 'CLOSED_WEEKDAY' | 'HOLIDAY' | 'OUTSIDE_HOURS' | 'LAST_MINUTE'

/** Why a rule refuses a call. */
export interface Closed {
  readonly rule: string
  readonly citation: string | null
  /** Null when no zone is known. */
  readonly zone: string | null
  readonly reason: ClosedReason
  /** A sentence. */
  readonly detail: string
}

const NO_LOCAL_TIME: Closed = {
  rule: 'location',
  citation: null,
  zone: null,
  reason: 'NO_LOCAL_TIME',
  detail: 'The local time is not known.',
}

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const clock = (minutes: number): string => `${Math.floor(minutes / 60)}`.padStart(2, '0').concat(':', `${minutes % 60}`.padStart(2, '0'))

const hoursText = ([start, end]: DayWindow): string => `${clock(start)}-${clock(end)}`

const reasonAt = (hours: Hours, at: Instant): Pick<Closed, 'reason' | 'detail'> => {
  const { day, midnight } = localDay(hours.zone, at)
  const minute = Math.floor((at - midnight) / MINUTE)
  const weekday = DAY_NAMES[weekdayOf(day)]
  const date = dayOf(day * DAY)
  const local = `${weekday} ${date} ${clock(minute)} in ${hours.zone}`
  if (hours.isEmergency) return { reason: 'EMERGENCY', detail: `A declared emergency in ${hours.rule} bars all calls.` }
  if (hours.closedDays.includes(day)) return { reason: 'CLOSED_DATE', detail: `There are no calls on ${date}.` }

  const holiday = hours.holidays ? holidayOn(hours.holidays, day) : undefined
  const window = windowOn(hours, day)
  const on = holiday === undefined ? '' : ` on ${holiday}`
  if (window === null) {
    return holiday === undefined || hours.week[weekdayOf(day)] === null
      ? { reason: 'CLOSED_WEEKDAY', detail: `${local}: there are no calls on a ${weekday}.` }
      : { reason: 'HOLIDAY', detail: `${local}: there are no calls${on}.` }
  }
  if (minute < window[0] || minute >= window[1]) {
    return { reason: 'OUTSIDE_HOURS', detail: `${local} is outside ${hoursText(window)}${on}.` }
  }
  return { reason: 'LAST_MINUTE', detail: `${local} is the last minute of ${hoursText(window)}${on}.` }
}

/** Every rule and zone that refuses a call at an instant; empty when a call may start. */
export const closedBecause = (all: readonly Hours[], at: Instant): Closed[] =>
  all.length === 0
    ? [NO_LOCAL_TIME]
    : closedAt(all, at).map((hours) => ({ rule: hours.rule, citation: hours.citation, zone: hours.zone, ...reasonAt(hours, at) }))
