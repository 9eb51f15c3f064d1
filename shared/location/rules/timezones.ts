import type { CallingPolicy } from '../../calling/rules/policy.ts'
import type { Said } from './said.ts'
import { readUsState, zonesOfState } from './state.ts'
import type { Zip } from './zip.ts'
import { readZones } from './zone-name.ts'

/** The source of a lead's zones. */
export type TimezoneSource = 'timezone' | 'zip' | 'state' | 'property_zip' | 'property_state' | 'ip' | 'default'

/** Zones, with the state of the place that they come from, if it is in one. */
export interface ZonesFound {
  /** Empty for military mail. */
  readonly zones: readonly string[]
  readonly source: TimezoneSource
  readonly state: string | null
}

const byZip = (zip: Zip | undefined, source: TimezoneSource): ZonesFound | undefined =>
  zip && { zones: zip.zones, source, state: zip.state }

const byState = (state: string | undefined, source: TimezoneSource): ZonesFound | undefined =>
  state === undefined ? undefined : { zones: zonesOfState(state), source, state }

/** The zone that the IP database names, else the zones of its state. */
const byIp = (address: string | undefined, placeOfIp: CallingPolicy['placeOfIp']): ZonesFound | undefined => {
  const place = address === undefined ? undefined : placeOfIp(address)
  if (!place) return undefined
  const state = readUsState(place.state).value ?? null
  const zones = readZones(place.timezone).value ?? (state === null ? [] : zonesOfState(state))
  return zones.length > 0 ? { zones, source: 'ip', state } : undefined
}

/**
 * The zones of a lead, by the first source that names a place. The order is: explicit timezone, contact ZIP, contact state, property ZIP,
 * property state, IP. That place decides even if it is military mail and has no zone: later sources are less close to the person.
 */
export const zonesSaid = (said: Said, { placeOfIp }: Pick<CallingPolicy, 'placeOfIp'>): ZonesFound | undefined =>
  explicitZones(said) ??
  byZip(said.zip, 'zip') ??
  byState(said.usState ?? said.state, 'state') ??
  byZip(said.propertyZip, 'property_zip') ??
  byState(said.propertyState, 'property_state') ??
  byIp(said.ip, placeOfIp)

export const explicitZones = ({ zones }: Pick<Said, 'zones'>): ZonesFound | undefined => zones && { zones, source: 'timezone', state: null }
