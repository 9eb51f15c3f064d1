import { DAY, MINUTE } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { stretchAt } from '../../../platform/values/zones.ts'
import { type DayWindow, WEEKDAYS } from '../calling-rules.ts'
import type { DaySpan, Rule } from '../rules.ts'
import { type DayNumber, holidayOn, weekdayOf } from './holidays.ts'

/** One rule in the local time of one zone. A lead has one for each rule in each zone. A call must be lawful under all of them. */
export interface Hours extends Rule {
  readonly zone: string
  /** When the rule itself is in force, if it holds in this zone on some of these days only. */
  readonly ruleDays?: DaySpan
}

/** No call starts in the last minute of a window: it would still ring after the end. */
export const MARGIN = MINUTE

/** Most windows are found within this time: a week, and the rest of a day. */
const USUAL = 8 * DAY

/** No rule closes for so long. Hours without a window by then have none at all. */
export const HORIZON = 400 * DAY

export const WHOLE_DAY: DayWindow = [0, 24 * 60]

const intersection = (one: DayWindow, other: DayWindow): DayWindow | null => {
  const [start, end] = [Math.max(one[0], other[0]), Math.min(one[1], other[1])]
  return start < end ? [start, end] : null
}

/** Whether a rule is in force on a local day. */
export const isInForce = ({ from, until }: DaySpan, day: DayNumber): boolean => from <= day && day < until

/** The window of a local day, in minutes from its midnight; null when it has none. */
export const windowOn = (rule: Rule, day: DayNumber): DayWindow | null => {
  if (!isInForce(rule, day)) return WHOLE_DAY
  const { week, holidays, holidayWindow, closedDays, isEmergency } = rule
  const window = isEmergency || closedDays.includes(day) ? null : (week[weekdayOf(day)] ?? null)
  if (window === null || holidays === null || holidayOn(holidays, day) === undefined) return window
  return holidayWindow && intersection(window, holidayWindow)
}

interface LocalDay {
  readonly day: DayNumber
  /** Midnight by the present clock. If the clock changed since the day began, this is not the instant when the day began. */
  readonly midnight: Instant
  /** The next instant at which the clock changes, or may change. */
  readonly changes: Instant
}

/** The day that the clock of a zone shows at an instant. */
export const localDay = (zone: string, at: Instant): LocalDay => {
  const { offset, until } = stretchAt(zone, at)
  const day = Math.floor((at + offset) / DAY)
  return { day, midnight: day * DAY - offset, changes: until }
}

/** Whether the clock shows a time inside the window. The margin does not count here. */
const isInside = (hours: Hours, at: Instant): boolean => {
  const { day, midnight } = localDay(hours.zone, at)
  const window = windowOn(hours, day)
  return window !== null && midnight + window[0] * MINUTE <= at && at < midnight + window[1] * MINUTE
}

/** When calls may start on a local day, up to the next clock change: from the first instant, before the second. */
const startsIn = (hours: Hours, { day, midnight, changes }: LocalDay): readonly [from: Instant, until: Instant] | null => {
  // A rule that is not in force restricts nothing: not even the last minute of the day.
  if (!isInForce(hours, day)) return [midnight, Math.min(midnight + DAY, changes)]
  const window = windowOn(hours, day)
  if (window === null) return null
  const end = midnight + window[1] * MINUTE
  // When the clock jumps over the end of the window, the window ends at the jump.
  const last = end > changes - MARGIN && !isInside(hours, changes) ? changes - MARGIN : changes
  return [midnight + window[0] * MINUTE, Math.min(last, end - MARGIN)]
}

const mayStartUnder = (hours: Hours, at: Instant): boolean => {
  const starts = startsIn(hours, localDay(hours.zone, at))
  return starts !== null && starts[0] <= at && at < starts[1]
}

/** The hours that are in force at an instant, each by the clock of its zone. */
export const inForceAt = (all: readonly Hours[], at: Instant): Hours[] =>
  all.filter((hours) => isInForce(hours, localDay(hours.zone, at).day))

/** Whether a call may start at an instant under all of the hours; without any it may not. */
export const mayStart = (all: readonly Hours[], at: Instant): boolean => all.length > 0 && all.every((hours) => mayStartUnder(hours, at))

/** The hours under which no call may start at an instant. */
export const closedAt = (all: readonly Hours[], at: Instant): Hours[] => all.filter((hours) => !mayStartUnder(hours, at))

const nextStartUnder = (hours: Hours, at: Instant, limit: Instant): Instant | null => {
  for (let from = at; from <= limit; ) {
    const today = localDay(hours.zone, from)
    const starts = startsIn(hours, today)
    if (starts && starts[0] < starts[1] && from < starts[1]) return Math.max(from, starts[0])
    from = Math.min(today.midnight + DAY, today.changes)
  }
  return null
}

const search = (all: readonly Hours[], at: Instant, limit: Instant): Instant | null => {
  let [candidate, agreed] = [at, 0]
  // Each rule may push the time later; loop until all agree.
  for (let turn = 0; agreed < all.length; turn = (turn + 1) % all.length) {
    const hours = all[turn]
    const next = hours ? nextStartUnder(hours, candidate, limit) : null
    if (next === null) return null
    agreed = next === candidate ? agreed + 1 : 1
    candidate = next
  }
  return candidate
}

/**
 * Whether the windows in one zone leave no time on any weekday. An account's hours can do that. Only rules that hold from `at` on, without
 * an end, can tell: the others may give way to wider ones.
 */
const isNothingLeft = (all: readonly Hours[], at: Instant): boolean => {
  const [{ zone } = {}] = all
  if (zone === undefined) return true
  const { day } = localDay(zone, at)
  const lasting = all.filter((hours) => hours.zone === zone && hours.from <= day && hours.until === Number.POSITIVE_INFINITY)
  return WEEKDAYS.every((_, weekday) => {
    const windows = lasting.map(({ week, isEmergency }) => (isEmergency ? null : (week[weekday] ?? null)))
    const [start, end] = windows.reduce<DayWindow | null>((one, other) => one && other && intersection(one, other), WHOLE_DAY) ?? [0, 0]
    return (end - start) * MINUTE <= MARGIN
  })
}

/** The first instant from `at` on that is lawful under all of the hours; null when none is within 400 days. */
export const nextStart = (all: readonly Hours[], at: Instant): Instant | null => {
  if (all.length === 0) return null
  return search(all, at, at + USUAL) ?? (isNothingLeft(all, at) ? null : search(all, at, at + HORIZON))
}

/** @param limit stop searching here; a rule that is not in force has no end */
const lastStartUnder = (hours: Hours, at: Instant, limit: Instant): Instant => {
  let end = at
  while (end <= limit) {
    const starts = startsIn(hours, localDay(hours.zone, end))
    if (starts === null || end < starts[0] || end >= starts[1]) return end - 1
    end = starts[1]
  }
  return limit
}

/** The last instant at which a call may start in the window around `at`; `at - 1` when `at` is in no window. */
export const lastStart = (all: readonly Hours[], at: Instant): Instant =>
  all.length === 0 ? at - 1 : all.reduce((last, hours) => Math.min(last, lastStartUnder(hours, at, last)), at + HORIZON)
