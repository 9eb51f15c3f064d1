import type { AccountHours } from '../../accounts/configuration.ts'
import type { Lead } from '../../leads/lead.ts'
import { formerPlace } from '../../location/rules/former-place.ts'
import { type Location, locate } from '../../location/rules/locate.ts'
import { DAY } from '../../platform/values/durations.ts'
import { type DayWindow, type HolidayChoice, WEEKDAYS } from './calling-rules.ts'
import type { Hours } from './hours/hours.ts'
import type { CallingPolicy } from './policy.ts'
import { FEDERAL, FEDERAL_HOLIDAYS, type HolidayList, holidaysNamed, JURISDICTIONS, type Jurisdiction, OPEN, type Rule } from './rules.ts'

const minutesFrom = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** A window of two times of day, `HH:MM`, in minutes from midnight. */
export const windowFrom = (times: readonly [string, string] | null): DayWindow | null =>
  times && [minutesFrom(times[0]), minutesFrom(times[1])]

const WHOLE_DAY = [0, 24 * 60] as const

const listOf = (choice: HolidayChoice): HolidayList | null =>
  choice === 'none' ? null : choice === 'federal' ? FEDERAL_HOLIDAYS : holidaysNamed(choice)

const makeRule = ({ windows, holidays, closed_dates }: AccountHours): Rule => ({
  ...OPEN,
  rule: 'account',
  citation: null,
  week: WEEKDAYS.map((day) => (windows === null ? WHOLE_DAY : windowFrom(windows[day]))),
  holidays: listOf(holidays),
  closedDays: closed_dates.map((date) => Date.parse(date) / DAY),
})

const made = new WeakMap<AccountHours, Rule>()

/** The account's own hours as a rule, which narrows the lawful hours. */
const accountRule = (account: AccountHours): Rule => {
  const rule = made.get(account) ?? makeRule(account)
  made.set(account, rule)
  return rule
}

/** The maximum number of attempts to one person within 24 hours, and the rule that sets it. */
export interface AttemptCap {
  readonly max: number
  readonly rule: string
  readonly citation: string
}

export interface CallingHours {
  readonly location: Location
  /** Codes of the jurisdictions whose rules apply. */
  readonly jurisdictions: readonly string[]
  /** Empty when the local time is not known: then no call may start. */
  readonly hours: readonly Hours[]
  readonly cap: AttemptCap | null
}

type Place = Pick<Location, 'timezones' | 'jurisdictions' | 'isKnown'>

const rowsOf = ({ jurisdictions }: Pick<Location, 'jurisdictions'>): Jurisdiction[] =>
  jurisdictions.flatMap((code) => JURISDICTIONS.get(code) ?? [])

const rulesOf = (place: Place, { account, emergencies }: CallingPolicy): Rule[] => [
  FEDERAL,
  ...rowsOf(place).map(({ hours }) => (emergencies.has(hours.rule) ? { ...hours, isEmergency: true } : hours)),
  ...(account ? [accountRule(account)] : []),
]

/**
 * The window for a lead without a known location: hours in the default zone that are daytime everywhere. It is not repeated for the lead's
 * other zones.
 */
const defaultHours = ({ defaultTimezone, defaultWindow }: CallingPolicy): Hours => ({
  ...OPEN,
  zone: defaultTimezone,
  rule: 'default window',
  citation: null,
  week: Array.from({ length: 7 }, () => defaultWindow),
})

/** Every rule in the local time of every zone. A call must be lawful under all of them. */
export const hoursAt = (place: Place, policy: CallingPolicy): Hours[] => {
  if (place.timezones.length === 0) return []
  const rules = rulesOf(place, policy)
  const hours = place.timezones.flatMap((zone) => rules.map((rule) => ({ zone, ...rule })))
  return place.isKnown ? hours : [...hours, defaultHours(policy)]
}

/** The lowest cap of the rows that apply, and the first of equal ones. */
export const attemptCapAt = (place: Pick<Location, 'jurisdictions'>): AttemptCap | null => {
  const caps = rowsOf(place).flatMap(({ maxAttempts: max, hours: { rule, citation } }) =>
    max === null ? [] : { max, rule, citation: citation ?? rule },
  )
  return caps.toSorted((one, other) => one.max - other.max)[0] ?? null
}

type Located = Pick<Lead, 'metadata' | 'phone_number' | 'us_state'> & Partial<Pick<Lead, 'former_place' | 'next_call_time' | 'attempts'>>

/** Where a lead is, when it may be called there, and how often. The rules of a former place apply too, while it counts. */
export const callingHours = (lead: Located, policy: CallingPolicy): CallingHours => {
  const location = locate(lead, policy)
  const before = formerPlace(lead)
  const former = before && locate({ ...before, phone_number: lead.phone_number }, policy)
  const places = former ? [location, former] : [location]
  const hours = places.map((place) => hoursAt(place, policy))
  const jurisdictions = [...new Set(places.flatMap((place) => place.jurisdictions))]
  return {
    location,
    jurisdictions,
    // If the local time of one place is unknown, no call may start.
    hours: hours.some((ofPlace) => ofPlace.length === 0) ? [] : hours.flat(),
    cap: attemptCapAt({ jurisdictions }),
  }
}
