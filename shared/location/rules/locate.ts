import type { CallingPolicy } from '../../calling/rules/policy.ts'
import type { Lead } from '../../leads/lead.ts'
import { farTerritory, presumedState } from './area-code.ts'
import { isInternational } from './international.ts'
import { readSaid, type Said } from './said.ts'
import { zonesOfState } from './state.ts'
import { explicitZones, type TimezoneSource, type ZonesFound, zonesSaid } from './timezones.ts'

/** Where a lead is, as far as calling it goes. */
export interface Location {
  /** Two letters, of a state, the district, a territory or a region of military mail. */
  readonly state: string | null
  /** The contact's ZIP in five digits, else the property's. */
  readonly zip: string | null
  /** What told the state. */
  readonly source: 'us_state' | 'state' | 'property_state' | 'zip' | 'property_zip' | null
  /** A call must be lawful in each. None: the local time is not known, and the lead is never called. */
  readonly timezones: readonly string[]
  /** What told the first of them; area codes add theirs. */
  readonly timezoneSource: TimezoneSource | null
  /** Codes of those whose rules apply, each once. */
  readonly jurisdictions: readonly string[]
  /** False when nothing tells the local time: the default zone and its window apply, or none at all. */
  readonly isKnown: boolean
  /** Sentences on what the lead says and could not be used, or contradicts itself. */
  readonly remarks: readonly string[]
}

type Place = Pick<Location, 'state' | 'source'>

/** The state in this order: the lead's field, `state`, `property_state`; and only when it says none, that of the ZIPs. */
const stateSaid = (said: Said): Place => {
  if (said.usState !== undefined) return { state: said.usState, source: 'us_state' }
  if (said.state !== undefined) return { state: said.state, source: 'state' }
  if (said.propertyState !== undefined) return { state: said.propertyState, source: 'property_state' }
  if (said.zip?.state) return { state: said.zip.state, source: 'zip' }
  if (said.propertyZip?.state) return { state: said.propertyZip.state, source: 'property_zip' }
  return { state: null, source: null }
}

const findZones = (lead: Pick<Lead, 'phone_number'>, said: Said, policy: CallingPolicy): ZonesFound | undefined =>
  isInternational(lead)
    ? explicitZones(said)
    : (zonesSaid(said, policy) ?? { zones: [policy.defaultTimezone], source: 'default', state: null })

const distinct = (codes: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(codes.filter((code) => code !== null && code !== undefined)),
]

/**
 * The zones to add for a state that the area code presumes: none when the person is there as far as is known, or the local time is not
 * known.
 */
const presumedZones = (presumed: string | undefined, rows: readonly string[], zones: readonly string[]): readonly string[] => {
  if (presumed === undefined || zones.length === 0) return []
  const there = zonesOfState(presumed)
  return rows.includes(presumed) && zones.every((zone) => there.includes(zone)) ? [] : there
}

/** An area code is no place. But a lead of which nothing else is known is not called at night there, should it be one. */
const farZones = ({ phone_number }: Pick<Lead, 'phone_number'>, found: ZonesFound | undefined): readonly string[] => {
  const territory = found?.source === 'default' ? farTerritory(phone_number) : undefined
  return territory === undefined ? [] : zonesOfState(territory)
}

const contradiction = ({ zip }: Said, { state, source }: Place): string[] =>
  zip?.state && state !== null && zip.state !== state
    ? [`zip: ${zip.zip} is in ${zip.state}, and ${source} says ${state}: the rules of both apply.`]
    : []

/**
 * State and zones of a lead, each in its own order, and the jurisdictions whose rules apply: that of the state, besides it that
 * of the contact's ZIP and of whatever place told the zones, where these contradict it, and one whose law goes by area codes.
 */
export const locate = (lead: Pick<Lead, 'metadata' | 'phone_number' | 'us_state'>, policy: CallingPolicy): Location => {
  const said = readSaid(lead)
  const place = stateSaid(said)
  const found = findZones(lead, said, policy)
  const zones = found?.zones ?? []
  const presumed = presumedState(lead.phone_number)
  const rows = distinct([place.state, said.zip?.state, found?.state])
  return {
    ...place,
    zip: said.zip?.zip ?? said.propertyZip?.zip ?? null,
    timezones: distinct([...zones, ...presumedZones(presumed, rows, zones), ...farZones(lead, found)]),
    timezoneSource: zones.length > 0 ? (found?.source ?? null) : null,
    jurisdictions: distinct([...rows, presumed]),
    isKnown: zones.length > 0 && found?.source !== 'default',
    remarks: [...said.remarks, ...contradiction(said, place)],
  }
}
