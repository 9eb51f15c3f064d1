import { CALLING_RULES } from '../../../data/calling-rules.ts'
import type { HolidayList } from '../rules.ts'
import { type DayNumber, daysOf, yearOf } from './holiday-dates.ts'

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
