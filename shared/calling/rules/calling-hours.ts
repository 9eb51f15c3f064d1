import type { AccountHours } from '../../accounts/configuration.ts'
import type { Lead } from '../../leads/lead.ts'
import { formerPlace } from '../../location/rules/former-place.ts'
import { isOnlyPresumed, type Location, locate, zonesNamed } from '../../location/rules/locate.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { type HolidayChoice, WEEKDAYS, windowFrom } from './calling-rules.ts'
import { type Hours, inForceAt, WHOLE_DAY } from './hours/hours.ts'
import type { CallingPolicy, PlacePolicy } from './policy.ts'
import {
  type DaySpan,
  FEDERAL,
  FEDERAL_HOLIDAYS,
  type HolidayList,
  holidaysNamed,
  JURISDICTIONS,
  type Law,
  OPEN,
  type Rule,
} from './rules.ts'

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
  /** Codes of the jurisdictions whose rules apply, on one day or another. */
  readonly jurisdictions: readonly string[]
  /** Empty when the local time is not known: then no call may start. */
  readonly hours: readonly Hours[]
}

type Place = Pick<Location, 'timezones' | 'jurisdictions' | 'isKnown' | 'presumed'>

const lawsOf = (place: Place): Law[] =>
  place.jurisdictions.flatMap((code) => {
    const laws = JURISDICTIONS.get(code) ?? []
    return isOnlyPresumed(place, code) ? laws.filter(({ presumesAreaCodes }) => presumesAreaCodes) : laws
  })

const rulesOf = (place: Place, { account, emergencies }: CallingPolicy): Rule[] => [
  ...FEDERAL,
  ...lawsOf(place).map(({ hours }) => (emergencies.has(hours.rule) ? { ...hours, isEmergency: true } : hours)),
  ...(account ? [accountRule(account)] : []),
]

type HoursAnywhere = Omit<Hours, 'zone'>

const narrowed = (rule: Rule, days: DaySpan): HoursAnywhere[] => {
  const [from, until] = [Math.max(rule.from, days.from), Math.min(rule.until, days.until)]
  return from < until ? [{ ...rule, from, until, ruleDays: { from: rule.from, until: rule.until } }] : []
}

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

/** The hours that hold by a clock other than the person's. A presumed clock counts only on some days, so it does not stand for this one. */
const hoursByOtherClocks = (place: Place): Hours[] =>
  lawsOf(place).flatMap(({ hours, clock }) => (clock === null || zonesNamed(place).includes(clock) ? [] : { zone: clock, ...hours }))

/** Every rule in the local time of every zone, whenever it is in force. A call must be lawful under all of them. */
export const hoursAt = (place: Place, policy: CallingPolicy): Hours[] => {
  if (place.timezones.length === 0) return []
  const rules = rulesOf(place, policy)
  const { presumed } = place
  const rulesIn = (zone: string): HoursAnywhere[] =>
    presumed?.zones.includes(zone) ? rules.flatMap((rule) => presumed.days.flatMap((days) => narrowed(rule, days))) : rules
  const hours = [...place.timezones.flatMap((zone) => rulesIn(zone).map((rule) => ({ zone, ...rule }))), ...hoursByOtherClocks(place)]
  return place.isKnown ? hours : [...hours, defaultHours(policy)]
}

/** The lowest cap of the rules that are in force at an instant, and the first of equal ones. */
export const attemptCapAt = (hours: readonly Hours[], at: Instant): AttemptCap | null => {
  const capped = hours.filter(({ maxAttempts }) => maxAttempts !== null)
  const caps = inForceAt(capped, at).flatMap(({ maxAttempts: max, rule, citation }) =>
    max === null ? [] : { max, rule, citation: citation ?? rule },
  )
  return caps.toSorted((one, other) => one.max - other.max)[0] ?? null
}

export type Located = Pick<Lead, 'metadata' | 'phone_number' | 'us_state'> &
  Partial<Pick<Lead, 'former_place' | 'next_call_time' | 'attempts'>>

/** Where a lead is, and its former place, while that counts. */
export const locationsOf = (lead: Located, policy: PlacePolicy): readonly [Location, ...Location[]] => {
  const location = locate(lead, policy)
  const before = formerPlace(lead)
  return before ? [location, locate({ ...before, phone_number: lead.phone_number }, policy)] : [location]
}

/** Where a lead is, and when and how often it may be called there. The rules of a former place apply too, while it counts. */
export const callingHours = (lead: Located, policy: CallingPolicy): CallingHours => {
  const places = locationsOf(lead, policy)
  const [location] = places
  const hours = places.map((place) => hoursAt(place, policy))
  return {
    location,
    jurisdictions: [...new Set(places.flatMap((place) => place.jurisdictions))],
    // If the local time of one place is unknown, no call may start.
    hours: hours.some((ofPlace) => ofPlace.length === 0) ? [] : hours.flat(),
  }
}
