import { describe, expect, it } from '@jest/globals'
import { STATE_ZONES } from '#shared/data/state-zones.ts'
import { locate } from '#shared/location/rules/locate.ts'
import { readSaid } from '#shared/location/rules/said.ts'
import { readUsState, STATE_NAMES } from '#shared/location/rules/state.ts'
import { readZip } from '#shared/location/rules/zip.ts'
import { readZones } from '#shared/location/rules/zone-name.ts'
import { charactersRead } from '#test/support/characters-read.ts'
import { samplePolicy } from '#test/support/samples.ts'

describe('a ZIP', () => {
  it.each([
    ['02108', '02108'],
    [2108, '02108'],
    ['2108', '02108'],
    ['02108-1234', '02108'],
    ['021081234', '02108'],
    [21081234, '02108'],
    ['2108-1234', '02108'],
    ['02108 1234', '02108'],
    ['02108–1234', '02108'],
    ['02108 - 1234', '02108'],
    ['02108-', '02108'],
    [' 02108\n', '02108'],
    ['2108.0', '02108'],
    ['０２１０８', '02108'],
    [601, '00601'],
    ['601', '00601'],
    [94105, '94105'],
    [941051234, '94105'],
  ])('a ZIP is read from %j as %s', (said, zip) => {
    expect(readZip(said).value?.zip).toBe(zip)
  })

  it.each([null, undefined, '', '   '])('a blank ZIP is absent: %j', (said) => {
    expect(readZip(said)).toEqual({})
  })

  it.each(['K1A 0B1', 'k1a0b1', 'K1A-0B1'])('a Canadian ZIP gets a remark: %s', (said) => {
    expect(readZip(said)).toEqual({ remark: expect.stringContaining('Canadian') })
  })

  it.each([
    '99999',
    0,
    12,
    '12',
    '1234567',
    '12345-67',
    '94105-12345',
    '941051234567',
    'CA',
    '94105x',
    -94105,
    94105.5,
    true,
    [94105],
    {},
    Number.NaN,
    '94105, 94106',
  ])('a ZIP that is not in use gets a remark: %j', (said) => {
    expect(readZip(said)).toEqual({ remark: expect.stringContaining('is not a ZIP code') })
  })
})

describe('a state', () => {
  it.each([
    ['CA', 'CA'],
    ['ca', 'CA'],
    [' Ca ', 'CA'],
    ['California', 'CA'],
    ['california', 'CA'],
    ['NEW  YORK', 'NY'],
    ['new_york', 'NY'],
    ['N.Y.', 'NY'],
    ['N. Y.', 'NY'],
    ['State of New York', 'NY'],
    ['Commonwealth of Massachusetts', 'MA'],
    ['D.C.', 'DC'],
    ['Washington, D.C.', 'DC'],
    ['District of Columbia', 'DC'],
    ['Washington', 'WA'],
    ['Hawaiʻi', 'HI'],
    ['US-TX', 'TX'],
    ['USA, TX', 'TX'],
    ['U.S. Virgin Islands', 'VI'],
    ['the Northern Mariana Islands', 'MP'],
    ['Puerto Rico', 'PR'],
    ['armed forces pacific', 'AP'],
  ])('a state is read from %j as %s', (said, code) => {
    expect(readUsState(said)).toEqual({ value: code })
  })

  it.each([
    'Ontario',
    'ON',
    'XX',
    'Kalifornia',
    'CA, NV',
    'C',
    'constructor',
    '__proto__',
    7,
    true,
    ['CA'],
    { CA: 1 },
    'California '.repeat(50),
  ])('an unknown state gets a remark: %j', (said) => {
    expect(readUsState(said)).toEqual({ remark: expect.stringContaining('is not a state') })
  })

  it('a state has a name exactly if it has zones', () => {
    expect(STATE_NAMES.map(([code]) => code).toSorted()).toEqual(Object.keys(STATE_ZONES).toSorted())
  })
})

describe('a zone', () => {
  it.each([
    ['America/New_York', 'America/New_York'],
    ['america/new_york', 'America/New_York'],
    [' America/New_York ', 'America/New_York'],
    ['US/Eastern', 'America/New_York'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['US/Arizona', 'America/Phoenix'],
    ['US/East-Indiana', 'America/Indiana/Indianapolis'],
    ['America/Fort_Wayne', 'America/Indiana/Indianapolis'],
    ['America/Indianapolis', 'America/Indiana/Indianapolis'],
    ['America/Indiana/Indianapolis', 'America/Indiana/Indianapolis'],
    ['America/Louisville', 'America/Kentucky/Louisville'],
    ['America/Shiprock', 'America/Denver'],
    ['Navajo', 'America/Denver'],
    ['PST8PDT', 'America/Los_Angeles'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['UTC', 'UTC'],
    ['HST', 'Pacific/Honolulu'],
  ])('a zone is read from %j as %s', (said, zone) => {
    expect(readZones(said)).toEqual({ value: [zone] })
  })

  it.each([
    ['EST', ['America/New_York', 'America/Panama']],
    ['mst', ['America/Denver', 'America/Phoenix']],
  ])('a zone is read as both meanings of %s', (said, zones) => {
    expect(readZones(said)).toEqual({ value: zones })
  })

  it.each([null, undefined, '', ' '])('a blank zone is absent: %j', (said) => {
    expect(readZones(said)).toEqual({})
  })

  it.each([
    'Mars/Olympus',
    'Eastern',
    'EDT',
    'PST',
    'AST',
    'IST',
    '+05:00',
    '-0500',
    'America/New York',
    'America',
    'Local',
    -5,
    300,
    true,
    ['UTC'],
    {},
    'x'.repeat(99),
    'Z',
  ])('an unknown zone gets a remark: %j', (said) => {
    expect(readZones(said)).toEqual({ remark: expect.stringContaining('is not a time zone') })
  })

  it('nearly every zone name that this runtime lists is kept', () => {
    const renamed = Intl.supportedValuesOf('timeZone').filter((name) => readZones(name).value?.join() !== name)
    expect(renamed.length).toBeLessThan(20)
  })
})

describe('a location text that is too long', () => {
  // The longest text that metadata may hold, in the worst order for Unicode normalization.
  const marks = '\u0315\u0300'.repeat(4_000)
  const metadata = Object.fromEntries(['timezone', 'state', 'property_state', 'zip', 'property_zip'].map((key) => [key, marks]))

  it('a location text that is too long is not normalized, which would take quadratic time', () => {
    expect(charactersRead(() => readSaid({ us_state: null, metadata }))).toBeLessThan(1_000)
  })

  it('a location text that is too long gets a remark as unusable', () => {
    const { remarks } = readSaid({ us_state: null, metadata })
    expect(remarks.map(({ key, remark }) => `${key}: ${remark}`)).toEqual([
      expect.stringMatching(/^timezone: .* is not a time zone\.$/),
      expect.stringMatching(/^state: .* is not a state of the United States\.$/),
      expect.stringMatching(/^property_state: .* is not a state of the United States\.$/),
      expect.stringMatching(/^zip: .* is not a ZIP code\.$/),
      expect.stringMatching(/^property_zip: .* is not a ZIP code\.$/),
    ])
    expect(readZip(`${' '.repeat(100_000)}02108 `).value?.zip).toBe('02108')
  })
})

const remarksOn = (metadata: Record<string, unknown>) =>
  locate({ metadata, us_state: null, phone_number: '+12125550001' }, samplePolicy()).remarks

describe('the remarks on a location', () => {
  it('the remarks on a location name each value that could not be used', () => {
    const metadata = { timezone: 'Eastern', zip: 'K1A 0B1', state: 'Ontario', property_zip: '99999', property_state: { code: 'CA' } }
    expect(remarksOn(metadata)).toEqual([
      'timezone: "Eastern" is not a time zone.',
      'state: "Ontario" is not a state of the United States.',
      'property_state: A list or an object is not a state of the United States.',
      'zip: "K1A 0B1" is a Canadian postal code, not a ZIP code. Canadian leads are not located.',
      'property_zip: "99999" is not a ZIP code in use.',
    ])
  })

  it('the remarks on a location shorten long values', () => {
    expect(remarksOn({ timezone: 'x'.repeat(100_000) })[0]).toHaveLength('timezone:  is not a time zone.'.length + 43)
  })
})
