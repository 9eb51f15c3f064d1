import type { CallingPolicy } from '../../calling/rules/policy.ts'
import type { Lead } from '../../leads/lead.ts'
import { farTerritory, presumedState } from './area-code.ts'
import { isInternational } from './international.ts'
import { readSaid, type Said } from './said.ts'
import { zonesOfState } from './state.ts'
import { explicitZones, type TimezoneSource, type ZonesFound, zonesSaid } from './timezones.ts'

/** Where a lead is, for the purpose of calling it. */
export interface Location {
  /** Two-letter code of a state, the district, a territory or a region of military mail. */
  readonly state: string | null
  /** Five digits: the contact's ZIP, else the property's. */
  readonly zip: string | null
  /** The field that the state comes from. */
  readonly source: 'us_state' | 'state' | 'property_state' | 'zip' | 'property_zip' | null
  /** A call must be lawful in each of them. Empty: the local time is not known, and the lead is never called. */
  readonly timezones: readonly string[]
  /** The source of the first zones. Area codes may add further ones. */
  readonly timezoneSource: TimezoneSource | null
  /** Codes of the jurisdictions whose rules apply, each once. */
  readonly jurisdictions: readonly string[]
  /** False when nothing reveals the local time: then the default zone and its window apply, or no zone at all. */
  readonly isKnown: boolean
  /** Sentences on place data of the lead that could not be used, or that contradicts itself. */
  readonly remarks: readonly string[]
}

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

const findZones = (lead: Pick<Lead, 'phone_number'>, said: Said, policy: CallingPolicy): ZonesFound | undefined =>
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
