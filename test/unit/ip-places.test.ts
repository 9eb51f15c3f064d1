import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals'
import { placeOfIp, placesIn } from '#shared/location/ip-places.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { mmdb } from '#test/support/mmdb.ts'

const log = captureLog()
const directory = mkdtempSync(join(tmpdir(), 'ip-places-'))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const written = (content: Buffer | string): string => {
  const file = join(directory, `${++files}.mmdb`)
  writeFileSync(file, content)
  return file
}

const city = (country: string, state: string | null, zone: string | null) => ({
  country: { iso_code: country, names: { en: 'A country with a name that is longer than twenty-nine bytes' } },
  ...(state && { subdivisions: [{ iso_code: state, geoname_id: 5_332_921 }] }),
  location: { accuracy_radius: 20, ...(zone && { time_zone: zone }) },
})

const NETWORKS = [
  { network: '203.0.113.0/25', record: city('US', 'CA', 'America/Los_Angeles') },
  { network: '203.0.113.128/25', record: city('US', 'TX', null) },
  { network: '198.51.100.0/24', record: city('PR', null, 'America/Puerto_Rico') },
  { network: '192.0.2.0/24', record: city('CA', 'ON', 'America/Toronto') },
  { network: '192.88.99.0/24', record: { location: { time_zone: ['no', 'text'] } } },
  { network: '2001:db8::/32', record: city('US', 'NY', 'America/New_York') },
]

describe('the place of an address', () => {
  const placeIn = placesIn(written(mmdb(NETWORKS)))

  it.each([
    ['203.0.113.7', { state: 'CA', timezone: 'America/Los_Angeles' }],
    ['203.0.113.127', { state: 'CA', timezone: 'America/Los_Angeles' }],
    ['203.0.113.128', { state: 'TX', timezone: null }],
    ['::ffff:203.0.113.7', { state: 'CA', timezone: 'America/Los_Angeles' }],
    ['198.51.100.1', { state: 'PR', timezone: 'America/Puerto_Rico' }],
    ['192.0.2.1', { state: null, timezone: 'America/Toronto' }],
    ['2001:DB8::1', { state: 'NY', timezone: 'America/New_York' }],
    ['192.88.99.1', undefined],
    ['10.0.0.1', undefined],
    ['2001:db9::1', undefined],
  ])('the place of an IP address is looked up in the database: %s', (address, place) => {
    expect(placeIn(address)).toEqual(place)
  })

  it.each(['', 'nobody', '203.0.113', '1', '203.0.113.7, 10.0.0.1', '0xcb.0.113.7', '203.0.113.256', 'x'.repeat(60)])(
    'the place of an IP address is unknown for invalid text: %s',
    (text) => {
      expect(placeIn(text)).toBeUndefined()
    },
  )

  it('the place of an IPv6 address is unknown in an IPv4 database', () => {
    const places = placesIn(written(mmdb(NETWORKS.slice(0, 2), 4)))
    expect(places('203.0.113.7')).toEqual({ state: 'CA', timezone: 'America/Los_Angeles' })
    expect(places('cb00:7107::1')).toBeUndefined()
  })
})

describe('an IP database that is missing or damaged', () => {
  it.each([
    ['a file that is missing', () => join(directory, 'missing.mmdb')],
    ['an empty file', () => written('')],
    ['a file of something else', () => written('a,b,c\n'.repeat(1000))],
    ['half of a file', () => written(mmdb(NETWORKS).subarray(0, 500))],
    ['a directory', () => directory],
  ])('a missing or damaged IP database gives no places and is logged once: %s', (_, file) => {
    const places = placesIn(file())
    expect([places('203.0.113.7'), places('203.0.113.8')]).toEqual([undefined, undefined])
    expect(log.filter((line) => line.includes('cannot be read'))).toHaveLength(1)
  })

  it('an IP database is logged once when only its records are damaged', () => {
    const database = mmdb(NETWORKS)
    const records = database.indexOf(Buffer.from('country')) - 2
    const places = placesIn(written(Buffer.concat([database.subarray(0, records), Buffer.alloc(200), database.subarray(records + 200)])))
    expect([places('203.0.113.7'), places('203.0.113.8')]).toEqual([undefined, undefined])
    expect(log.filter((line) => line.includes('cannot be read'))).toHaveLength(1)
  })

  it('a service without an IP database logs nothing about it', () => {
    expect(placesIn('')('203.0.113.7')).toBeUndefined()
    expect(log).toEqual([])
  })
})

describe('the IP database of the deployment', () => {
  afterEach(() => {
    delete process.env['IP_DATABASE']
    jest.resetModules()
  })

  it('no IP database is set by default', () => {
    expect(placeOfIp('203.0.113.7')).toBeUndefined()
  })

  it('the configured IP database is read once, on the first lookup of an address', async () => {
    const file = join(directory, 'named.mmdb')
    process.env['IP_DATABASE'] = file
    const { placeOfIp: placeOf } = await import('#shared/location/ip-places.ts')
    expect(placeOf('nobody')).toBeUndefined()
    writeFileSync(file, mmdb(NETWORKS))
    expect(placeOf('203.0.113.7')?.state).toBe('CA')
    rmSync(file)
    expect(placeOf('203.0.113.8')?.state).toBe('CA')
  })
})
