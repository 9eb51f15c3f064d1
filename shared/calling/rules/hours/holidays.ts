import { CALLING_RULES } from '../../../data/calling-rules.ts'
import { DAY } from '../../../platform/values/durations.ts'
import { type HolidayDefinition, type HolidayRule, type Observance, WEEKDAYS } from '../calling-rules.ts'
import type { HolidayList } from '../rules.ts'

/** Days are counted from 1 January 1970, a Thursday. */
export type DayNumber = number

/** Sunday is 0. */
export const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7

const yearOf = (day: DayNumber): number => new Date(day * DAY).getUTCFullYear()

/** `month` and `day` from 1. */
const dayNumber = (year: number, month: number, day: number): DayNumber => Date.UTC(year, month - 1, day) / DAY

const onOrAfter = (day: DayNumber, weekday: number): DayNumber => day + ((weekday - weekdayOf(day) + 7) % 7)

const nthWeekday = (year: number, { month, weekday, n }: { month: number; weekday: (typeof WEEKDAYS)[number]; n: number }): DayNumber =>
  onOrAfter(dayNumber(year, month, 1 + 7 * (n - 1)), WEEKDAYS.indexOf(weekday))

/** Easter Sunday of the Gregorian calendar, by the computus that Nature published in 1876. */
const easter = (year: number): DayNumber => {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const skipped = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + skipped + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const lateness = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  return dayNumber(year, 3, 22) + epact + toSunday - 7 * lateness
}

const [MONDAY, FRIDAY] = [1, 5]

/** Utah Code 63G-1-301: when 19 June is a Tuesday to Friday, the Monday before; on a weekend, the Monday after. */
const utahJuneteenthMonday = (year: number): DayNumber => {
  const juneteenth = dayNumber(year, 6, 19)
  const weekday = weekdayOf(juneteenth)
  return weekday >= MONDAY && weekday <= FRIDAY ? juneteenth - (weekday - MONDAY) : onOrAfter(juneteenth, MONDAY)
}

/** The day of a holiday in a year; undefined when that year has none. */
const dayIn = (year: number, rule: HolidayRule): DayNumber | undefined => {
  switch (rule.type) {
    case 'fixed':
      return dayNumber(year, rule.month, rule.day)
    case 'nthWeekday':
      return nthWeekday(year, rule)
    case 'nthWeekdayPlus':
      return nthWeekday(year, rule) + rule.plusDays
    case 'lastWeekday':
      return onOrAfter(dayNumber(year, rule.month + 1, 1) - 7, WEEKDAYS.indexOf(rule.weekday))
    case 'easterOffset':
      return easter(year) + rule.days
    case 'electionDay':
      return rule.years === 'even' && year % 2 !== 0 ? undefined : nthWeekday(year, { month: 11, weekday: 'mon', n: 1 }) + 1
    case 'utahJuneteenthMonday':
      return utahJuneteenthMonday(year)
  }
}

const SATURDAY = 6
const SUNDAY = 0

/** The weekday on which an observance applies, and the number of days from it to the extra day. */
const OBSERVED: Readonly<Record<Observance, readonly [weekday: number, shift: number]>> = {
  'friday-before-saturday': [SATURDAY, -1],
  'monday-after-sunday': [SUNDAY, 1],
  'monday-after-saturday': [SATURDAY, 2],
}

/** The days that a holiday of one year closes, each with its name. Some may lie in the year before or after. */
const daysOf = (
  year: number,
  { name, rule, shift }: HolidayDefinition,
  observance: readonly Observance[],
): { day: DayNumber; name: string }[] => {
  const day = dayIn(year, rule)
  if (day === undefined) return []
  const shifts = shift && rule.type === 'fixed' ? observance.map((kind) => OBSERVED[kind]) : []
  const observed = shifts.filter(([weekday]) => weekday === weekdayOf(day))
  return [{ day, name }, ...observed.map(([, days]) => ({ day: day + days, name: `${name} (observed)` }))]
}

type Calendar = ReadonlyMap<DayNumber, string>

const calendars = new WeakMap<HolidayList, Map<number, Calendar>>()

/** Holiday names by day; holidays on the same day share an entry. New Year's Day of the next year may be observed in this one. */
const makeCalendar = ({ ids, observance }: HolidayList, year: number): Calendar => {
  const found = new Map<DayNumber, string>()
  for (const id of ids) {
    const days = [year - 1, year, year + 1].flatMap((each) => daysOf(each, CALLING_RULES.holidays[id], observance))
    for (const { day, name } of days) {
      if (yearOf(day) !== year) continue
      const other = found.get(day)
      found.set(day, other === undefined ? name : `${other}; ${name}`)
    }
  }
  return found
}

/** The name of the holiday on a day, according to a list. An extra day for a weekend holiday ends in `(observed)`. */
export const holidayOn = (list: HolidayList, day: DayNumber): string | undefined => {
  const year = yearOf(day)
  const years = calendars.get(list) ?? new Map<number, Calendar>()
  const calendar = years.get(year) ?? makeCalendar(list, year)
  years.set(year, calendar)
  calendars.set(list, years)
  return calendar.get(day)
}
