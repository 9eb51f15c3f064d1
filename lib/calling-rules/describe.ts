import type { CallingRules, JurisdictionRow, PendingRow } from '#shared/calling/rules/calling-rules.ts'
import { nameOfState } from '#shared/location/rules/state.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'

/** Rows of the calling rules in words. */

export type EnactedRow = CallingRules['federal'][number] | JurisdictionRow

const DAYS = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const

type Windows = EnactedRow['windows']
type Stretch = { readonly first: keyof Windows; readonly last: keyof Windows; readonly text: string }

const windowText = (window: Windows['mon']): string => (window === null ? 'no calls' : window.join('-'))

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Days that follow one another with the same window, as one. */
const stretchesOf = (windows: Windows): Stretch[] => {
  const all: Stretch[] = []
  for (const day of WEEK) {
    const [text, last] = [windowText(windows[day]), all.at(-1)]
    if (last?.text === text) all.splice(-1, 1, { ...last, last: day })
    else all.push({ first: day, last: day, text })
  }
  return all
}

/** `Mon-Sat 08:00-20:00, Sun no calls` */
export const windowsText = (windows: Windows): string => {
  const stretches = stretchesOf(windows)
  const [only] = stretches
  if (stretches.length === 1 && only) return `${only.text} on all days`
  return stretches.map(({ first, last, text }) => `${first === last ? DAYS[first] : `${DAYS[first]}-${DAYS[last]}`} ${text}`).join(', ')
}

type Holidays = Pick<CallingRules, 'holidayDefinitions' | 'federalHolidays'>

/** The names of the days that a row treats as holidays. */
const holidayNames = ({ holidays }: EnactedRow, rules: Holidays): string[] => {
  const ids = holidays === 'none' ? [] : holidays === 'federal' ? rules.federalHolidays : holidays
  return ids.map((id) => rules.holidayDefinitions[id].name)
}

const holidayWindowText = (row: EnactedRow): string =>
  'holidayWindow' in row && row.holidayWindow ? row.holidayWindow.join('-') : 'no calls'

export const holidaysText = (row: EnactedRow, rules: Holidays): string =>
  `${holidayWindowText(row)} on ${holidayNames(row, rules).join(', ')}`

const capText = ({ maxAttemptsPer24h: most }: EnactedRow): string =>
  most === null ? 'no cap' : `${most} ${most === 1 ? 'call' : 'calls'} in 24 hours`

/** The hours of the week, and the cap. */
export const hoursText = (row: EnactedRow): string =>
  [windowsText(row.windows), ...(row.maxAttemptsPer24h === null ? [] : [capText(row)])].join('; ')

const FLAGS = {
  areaCodePresumption: 'a number with an area code of the place is presumed to be there',
  emergencyBan: 'a declared emergency can bar all calls',
  locationUnknown: 'the local time must come from another source',
} as const

const clockText = (row: EnactedRow): string[] =>
  'clock' in row && row.clock !== null ? [`the hours hold in ${row.clock} too, wherever the person is`] : []

/** The parts of a row besides its hours. */
export const flagTexts = (row: EnactedRow): string[] => {
  const set = new Map(Object.entries(row))
  return [...clockText(row), ...Object.entries(FLAGS).flatMap(([flag, text]) => (set.get(flag) === true ? text : []))]
}

const arrow = (name: string, was: string, is: string): string[] => (was === is ? [] : [`${name}: ${was} -> ${is}`])

const listChanges = (name: string, was: readonly string[], is: readonly string[]): string[] => {
  const [gone, added] = [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))]
  return [
    ...(added.length > 0 ? [`${name} added: ${added.join(', ')}`] : []),
    ...(gone.length > 0 ? [`${name} removed: ${gone.join(', ')}`] : []),
  ]
}

/** Phrases on what differs between two rows for the calls that they allow. `rules`: those of each row. */
export const lawChanges = (was: EnactedRow, is: EnactedRow, rules: readonly [was: Holidays, is: Holidays]): string[] => [
  ...arrow('hours', windowsText(was.windows), windowsText(is.windows)),
  ...arrow('calls to a person', capText(was), capText(is)),
  ...listChanges('holidays', holidayNames(was, { ...rules[1], federalHolidays: rules[0].federalHolidays }), holidayNames(is, rules[1])),
  ...(was.holidays === 'none' || is.holidays === 'none' ? [] : arrow('on holidays', holidayWindowText(was), holidayWindowText(is))),
  ...listChanges('rule', flagTexts(was), flagTexts(is)),
]

type Dated = Pick<PendingRow, 'from' | 'until'> & { readonly enactment: 'enacted' | 'pending' }

/** Derived from the date, and stored nowhere. */
export const statusOn = ({ from, until, enactment }: Dated, date: string): 'pending' | 'enacted' | 'in force' | 'ended' => {
  if (enactment === 'pending') return 'pending'
  if (until !== null && until <= date) return 'ended'
  return from !== null && from > date ? 'enacted' : 'in force'
}

const dayBefore = (date: string): string => dayOf(Date.parse(date) - DAY)

/** `2021-07-01 to 2023-05-24`, with both days. */
export const datesText = ({ from, until }: Pick<Dated, 'from' | 'until'>): string => {
  if (until === null) return from === null ? 'at any time' : `since ${from}`
  return from === null ? `until ${dayBefore(until)}` : `${from} to ${dayBefore(until)}`
}

export const placeText = (code: string): string => (code === 'federal' ? 'United States' : `${nameOfState(code)} (${code})`)
