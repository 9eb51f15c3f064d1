import type { PlacePolicy } from '../../calling/rules/policy.ts'
import { type DaySpan, JURISDICTIONS } from '../../calling/rules/rules.ts'
import { AREA_CODES, LATER_AREA_CODES } from '../../data/area-codes.ts'
import type { Lead } from '../../leads/lead.ts'
import { readSaid, type Said } from './said.ts'
import { isZoneOfState, readUsState, zonesOfState } from './state.ts'
import type { Zip } from './zip.ts'
import { readZones } from './zone-name.ts'

/** The country code of the North American Numbering Plan, whose hours this service knows. */
const NANP = '+1'

/** Outside the numbering plan, only the lead's own timezone decides when its phone may ring. */
export const isInternational = ({ phone_number }: Pick<Lead, 'phone_number'>): boolean => !phone_number.startsWith(NANP)

const STATES: ReadonlyMap<string, string> = new Map(
  [...Object.entries(AREA_CODES), ...Object.entries(LATER_AREA_CODES)].flatMap(([state, codes]) =>
    codes.map((code) => [String(code), state] as const),
  ),
)

/** The state, district or territory that an area code of the numbering plan is assigned to. */
export const stateOfAreaCode = (phone: string): string | undefined => (phone.startsWith(NANP) ? STATES.get(phone.slice(2, 5)) : undefined)

/** Territories across the Pacific: hours that are daytime in all fifty states are night there. */
const FAR = new Set(['AS', 'GU', 'MP'])

/**
 * The far territory of a number's area code. A lead without any known location may be there, and the default hours would be night for it.
 */
const farTerritory = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && FAR.has(state) ? state : undefined
}

/** Days that follow one another, as one. */
const joined = (all: readonly DaySpan[], { from, until }: DaySpan): readonly DaySpan[] => {
  const last = all.at(-1)
  return last?.until === from ? [...all.slice(0, -1), { from: last.from, until }] : [...all, { from, until }]
}

/** The days on which the law of a jurisdiction presumes that phones with its area codes are there. Empty where it never does. */
const PRESUMED_DAYS: ReadonlyMap<string, readonly DaySpan[]> = new Map(
  [...JURISDICTIONS].map(([code, laws]) => [code, laws.flatMap((law) => (law.presumesAreaCodes ? [law.hours] : [])).reduce(joined, [])]),
)

const daysOfPresumption = (state: string): readonly DaySpan[] => PRESUMED_DAYS.get(state) ?? []

/** The jurisdiction whose law presumes, by the area code, that a phone is there. */
const presumedState = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && daysOfPresumption(state).length > 0 ? state : undefined
}

/** The source of a lead's zones. */
type TimezoneSource = 'timezone' | 'zip' | 'state' | 'property_zip' | 'property_state' | 'ip' | 'default'

/** Zones, with the state of the place that they come from, if it is in one. */
interface ZonesFound {
  /** Empty for military mail. */
  readonly zones: readonly string[]
  readonly source: TimezoneSource
  readonly state: string | null
}

const byZip = (zip: Zip | undefined, source: TimezoneSource): ZonesFound | undefined =>
  zip && { zones: zip.zones, source, state: zip.state }

const byState = (state: string | undefined, source: TimezoneSource): ZonesFound | undefined =>
  state === undefined ? undefined : { zones: zonesOfState(state), source, state }

/**
 * The zone that the IP database names, else the zones of its state. An address abroad may belong to a proxy. It does not tell where the
 * owner of a domestic phone is, so it must not move the calling hours.
 */
const byIp = (address: string | undefined, placeOfIp: PlacePolicy['placeOfIp']): ZonesFound | undefined => {
  const place = address === undefined ? undefined : placeOfIp(address)
  if (!place) return undefined
  const state = readUsState(place.state).value ?? null
  const named = readZones(place.timezone).value
  const zones = state === null ? (named?.filter(isZoneOfState) ?? []) : (named ?? zonesOfState(state))
  return zones.length > 0 ? { zones, source: 'ip', state } : undefined
}

/**
 * The zones of a lead, by the first source that names a place. The order is: explicit timezone, contact ZIP, contact state, property ZIP,
 * property state, IP. That place decides even if it is military mail and has no zone: later sources are less close to the person.
 */
const zonesSaid = (said: Said, { placeOfIp }: Pick<PlacePolicy, 'placeOfIp'>): ZonesFound | undefined =>
  explicitZones(said) ??
  byZip(said.zip, 'zip') ??
  byState(said.usState ?? said.state, 'state') ??
  byZip(said.propertyZip, 'property_zip') ??
  byState(said.propertyState, 'property_state') ??
  byIp(said.ip, placeOfIp)

const explicitZones = ({ zones }: Pick<Said, 'zones'>): ZonesFound | undefined => zones && { zones, source: 'timezone', state: null }

/** The jurisdiction that the area code names, if its law presumes that the phone is there. */
interface Presumed {
  readonly state: string
  /** The days on which it presumes so. */
  readonly days: readonly DaySpan[]
  /** The zones that nothing else names. */
  readonly zones: readonly string[]
  /** Whether nothing else names this jurisdiction. */
  readonly isAlone: boolean
}

/** Where a lead is, for the purpose of calling it. */
export interface Location {
  /** Two-letter code of a state, the district, a territory or a region of military mail. */
  readonly state: string | null
  /** Five digits: the contact's ZIP, else the property's. */
  readonly zip: string | null
  /** The field that the state comes from. */
  readonly source: 'us_state' | 'state' | 'property_state' | 'zip' | 'property_zip' | null
  /**
   * A call must be lawful in each of them. Those of `presumed` count on its days only. Empty: the local time is not known, and the lead is
   * never called.
   */
  readonly timezones: readonly string[]
  /** The source of the first zones. Area codes may add further ones. */
  readonly timezoneSource: TimezoneSource | null
  /** Codes of the jurisdictions whose rules apply, each once. */
  readonly jurisdictions: readonly string[]
  /** Null when no law presumes by the area code where the phone is. */
  readonly presumed: Presumed | null
  /** False when nothing reveals the local time: then the default zone and its window apply, or no zone at all. */
  readonly isKnown: boolean
  /** Sentences on place data of the lead that could not be used, or that contradicts itself. */
  readonly remarks: readonly string[]
}

/** Whether an area code alone names a jurisdiction. Its laws then apply only while they presume so. */
export const isOnlyPresumed = ({ presumed }: Pick<Location, 'presumed'>, code: string): boolean =>
  presumed?.isAlone === true && presumed.state === code

/** The zones that more than a presumption names. */
export const zonesNamed = ({ timezones, presumed }: Pick<Location, 'timezones' | 'presumed'>): readonly string[] =>
  timezones.filter((zone) => !presumed?.zones.includes(zone))

type Place = Pick<Location, 'state' | 'source'>

/** The state, in this order: the lead's field, `state`, `property_state`. Only without these, the state of a ZIP. */
const stateSaid = (said: Said): Place => {
  if (said.usState !== undefined) return { state: said.usState, source: 'us_state' }
  if (said.state !== undefined) return { state: said.state, source: 'state' }
  if (said.propertyState !== undefined) return { state: said.propertyState, source: 'property_state' }
  if (said.zip?.state) return { state: said.zip.state, source: 'zip' }
  if (said.propertyZip?.state) return { state: said.propertyZip.state, source: 'property_zip' }
  return { state: null, source: null }
}

const findZones = (lead: Pick<Lead, 'phone_number'>, said: Said, policy: PlacePolicy): ZonesFound | undefined =>
  isInternational(lead)
    ? explicitZones(said)
    : (zonesSaid(said, policy) ?? { zones: [policy.defaultTimezone], source: 'default', state: null })

const distinct = (codes: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(codes.filter((code) => code !== null && code !== undefined)),
]

/**
 * The zones to add for a state that the area code presumes. None when the lead is known to be there, or when the local time is not known.
 */
const presumedZones = (presumed: string | undefined, rows: readonly string[], zones: readonly string[]): readonly string[] => {
  if (presumed === undefined || zones.length === 0) return []
  const there = zonesOfState(presumed)
  return rows.includes(presumed) && zones.every((zone) => there.includes(zone)) ? [] : there
}

/** An area code is no proof of a place. But a lead without any other data must not be called at night if it is there. */
const farZones = ({ phone_number }: Pick<Lead, 'phone_number'>, found: ZonesFound | undefined): readonly string[] => {
  const territory = found?.source === 'default' ? farTerritory(phone_number) : undefined
  return territory === undefined ? [] : zonesOfState(territory)
}

const contradiction = ({ zip }: Said, { state, source }: Place): string[] =>
  zip?.state && state !== null && zip.state !== state
    ? [`zip: ${zip.zip} is in ${zip.state}, and ${source} says ${state}: the rules of both apply.`]
    : []

/**
 * State and zones of a lead, each by its own order of sources, and the jurisdictions whose rules apply. These are the state, the state of
 * the contact's ZIP, and the state that the zones come from. The area code adds its state when that state's law presumes so.
 */
export const locate = (lead: Pick<Lead, 'metadata' | 'phone_number' | 'us_state'>, policy: PlacePolicy): Location => {
  const said = readSaid(lead)
  const place = stateSaid(said)
  const found = findZones(lead, said, policy)
  const zones = found?.zones ?? []
  const presumed = presumedState(lead.phone_number)
  const rows = distinct([place.state, said.zip?.state, found?.state])
  const known = distinct([...zones, ...farZones(lead, found)])
  const timezones = distinct([...zones, ...presumedZones(presumed, rows, zones), ...known])
  return {
    ...place,
    zip: said.zip?.zip ?? said.propertyZip?.zip ?? null,
    timezones,
    timezoneSource: zones.length > 0 ? (found?.source ?? null) : null,
    jurisdictions: distinct([...rows, presumed]),
    presumed:
      presumed === undefined
        ? null
        : {
            state: presumed,
            days: daysOfPresumption(presumed),
            zones: timezones.filter((zone) => !known.includes(zone)),
            isAlone: !rows.includes(presumed),
          },
    isKnown: zones.length > 0 && found?.source !== 'default',
    remarks: [...said.remarks.map(({ key, remark }) => `${key}: ${remark}`), ...contradiction(said, place)],
  }
}
