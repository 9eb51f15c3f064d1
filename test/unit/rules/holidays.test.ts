import { describe, expect, it } from '@jest/globals'
import { HOLIDAYS, type HolidayId } from '#shared/calling/rules/calling-rules.ts'
import { holidayOn } from '#shared/calling/rules/hours/holidays.ts'
import { FEDERAL_HOLIDAYS, type HolidayList, holidaysNamed, JURISDICTIONS } from '#shared/calling/rules/rules.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { RULES } from './fixtures/calling-data.ts'

const on = (list: HolidayList, date: string) => holidayOn(list, Date.parse(date) / DAY)
/** The holidays of a jurisdiction on a day. */
const listOn = (code: string, day: number): HolidayList | null =>
  code === 'federal'
    ? FEDERAL_HOLIDAYS
    : (JURISDICTIONS.get(code)?.find(({ hours }) => hours.from <= day && day < hours.until)?.hours.holidays ?? null)
const named = (...ids: HolidayId[]) => holidaysNamed(ids)

const datesOf = (listed: HolidayList | string, from: string, until: string): Record<string, string> => {
  const found: Record<string, string> = {}
  for (let day = Date.parse(from) / DAY; day <= Date.parse(until) / DAY; day++) {
    const list = typeof listed === 'string' ? listOn(listed, day) : listed
    const name = list ? holidayOn(list, day) : undefined
    if (name !== undefined) found[new Date(day * DAY).toISOString().slice(0, 10)] = name
  }
  return found
}

describe('holidays generated from their definitions', () => {
  it.each(Object.keys(RULES.holidayCalendar))('holidays generated from their definitions match the published calendar: %s', (code) => {
    expect(datesOf(code, '2026-11-01', '2028-12-31')).toEqual(RULES.holidayCalendar[code])
  })

  it('every jurisdiction with holidays has a calendar', () => {
    const rows = [...JURISDICTIONS].filter(([, laws]) => laws.at(-1)?.hours.holidays !== null).map(([code]) => code)
    expect(['federal', ...rows].toSorted()).toEqual(Object.keys(RULES.holidayCalendar).toSorted())
    expect([...HOLIDAYS].toSorted()).toEqual(Object.keys(RULES.holidayDefinitions).toSorted())
  })

  it.each([
    ['2000-04-23'],
    ['2008-03-23'],
    ['2011-04-24'],
    ['2019-04-21'],
    ['2024-03-31'],
    ['2025-04-20'],
    ['2026-04-05'],
    ['2029-04-01'],
    ['2030-04-21'],
    ['2038-04-25'],
    ['2049-04-18'],
    ['2076-04-19'],
    ['2285-03-22'],
  ])('holidays follow the date of Easter: %s', (easter) => {
    const date = (days: number) => new Date(Date.parse(easter) + days * DAY).toISOString().slice(0, 10)
    expect(on(named('good-friday'), date(-2))).toBe('Good Friday')
    expect(on(named('mardi-gras'), date(-47))).toBe('Mardi Gras')
    expect(on(named('good-friday', 'mardi-gras'), easter)).toBeUndefined()
  })

  it.each([
    // New Year's Day of 2022 was a Saturday, that of 2023 a Sunday.
    ['2021-12-31', "New Year's Day (observed)"],
    ['2022-01-01', "New Year's Day"],
    ['2022-01-03', undefined],
    ['2023-01-01', "New Year's Day"],
    ['2023-01-02', "New Year's Day (observed)"],
    ['2022-12-30', undefined],
    ['2022-12-26', 'Christmas Day (observed)'],
    ['2033-12-26', 'Christmas Day (observed)'],
    ['2045-07-04', 'Independence Day'],
    ['2048-11-26', 'Thanksgiving Day'],
  ])('holidays are observed by the federal government on %s: %s', (date, name) => {
    expect(on(FEDERAL_HOLIDAYS, date)).toBe(name)
  })

  it('holidays on a Saturday are also observed on the Monday after it in Rhode Island', () => {
    const list = JURISDICTIONS.get('RI')!.at(-1)!.hours.holidays!
    expect(on(list, '2021-12-31')).toBe("New Year's Day (observed)")
    expect(on(list, '2022-01-03')).toBe("New Year's Day (observed)")
    expect(on(list, '2019-05-06')).toBe('Rhode Island Independence Day (observed)')
    expect(on(list, '2019-05-03')).toBe('Rhode Island Independence Day (observed)')
  })

  it('holidays stay on a weekend day if their definition does not move them', () => {
    // Huey P. Long Day of 2025 was a Saturday, All Saints' Day of 2026 a Sunday.
    expect(datesOf(named('huey-long-day'), '2025-08-01', '2025-09-30')).toEqual({ '2025-08-30': 'Huey P. Long Day (LA)' })
    expect(datesOf(named('all-saints-day'), '2026-10-01', '2026-12-01')).toEqual({ '2026-11-01': "All Saints' Day (LA)" })
  })

  it.each([
    ['2024-06-17', 'a Wednesday'],
    ['2025-06-16', 'a Thursday'],
    ['2026-06-15', 'a Friday'],
    ['2027-06-21', 'a Saturday'],
    ['2028-06-19', 'a Monday'],
    ['2029-06-18', 'a Tuesday'],
    ['2033-06-20', 'a Sunday'],
  ])('Juneteenth in Utah is on the right Monday: %s, when June 19 is %s', (date) => {
    const year = date.slice(0, 4)
    expect(Object.keys(datesOf(named('juneteenth-ut-observed'), `${year}-01-01`, `${year}-12-31`))).toEqual([date])
  })

  it('holidays include election days, in even years or in every year', () => {
    const dates = (id: HolidayId) => Object.keys(datesOf(named(id), '2024-01-01', '2029-12-31'))
    const even = ['2024-11-05', '2026-11-03', '2028-11-07']
    expect(dates('election-day-even')).toEqual(even)
    expect(dates('election-day')).toEqual([...even, '2025-11-04', '2027-11-02', '2029-11-06'].toSorted())
  })

  it('holidays may fall on the last weekday of a month or the day after another holiday', () => {
    const dates = (id: HolidayId) => Object.keys(datesOf(named(id), '2026-01-01', '2031-12-31'))
    expect(dates('memorial-day')).toEqual(['2026-05-25', '2027-05-31', '2028-05-29', '2029-05-28', '2030-05-27', '2031-05-26'])
    expect(dates('arbor-day')).toEqual(['2026-04-24', '2027-04-30', '2028-04-28', '2029-04-27', '2030-04-26', '2031-04-25'])
    expect(dates('day-after-thanksgiving')).toEqual(['2026-11-27', '2027-11-26', '2028-11-24', '2029-11-23', '2030-11-29', '2031-11-28'])
  })
})
