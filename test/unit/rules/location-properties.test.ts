import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { locate } from '#shared/location/rules/locate.ts'
import { readZip } from '#shared/location/rules/zip.ts'
import { US_STATES } from '#shared/platform/values/values.ts'
import { isZone } from '#shared/platform/values/zones.ts'
import { samplePolicy } from '#test/support/samples.ts'

const KEYS = ['timezone', 'state', 'property_state', 'zip', 'property_zip', 'ip_address', 'ip']
const places = fc.constantFrom<unknown>(
  ...['CA', 'florida', 'AE', 'Ontario', '09012', '90210', 2108, '33101-1234', 'K1A 0B1', '00000', 'US/Eastern', 'EST', 'PST', '+05:00'],
  ...['America/Adak', '__proto__', 'constructor', '203.0.113.7'],
)
const metadata = fc.dictionary(fc.constantFrom(...KEYS), fc.oneof(places, fc.jsonValue(), fc.string(), fc.double(), fc.maxSafeInteger()))
const phones = fc.oneof(
  fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map((number) => `+1${number}`),
  fc.constantFrom('+442079460123', '+13055550001', '+15035550001', '+12125550001'),
)
const leads = fc.record({ metadata, phone_number: phones, us_state: fc.option(fc.constantFrom(...US_STATES)) })
const policy = samplePolicy({ placeOfIp: (address) => (address === '203.0.113.7' ? { state: 'ca', timezone: 'Nowhere' } : undefined) })

describe('a lead with any location data', () => {
  it('a lead with any location data is located without an error, in existing zones and jurisdictions', () => {
    fc.assert(
      fc.property(leads, (lead) => {
        const location = locate(lead, policy)
        expect(location.timezones.filter((zone) => !isZone(zone))).toEqual([])
        expect(new Set(location.timezones).size).toBe(location.timezones.length)
        expect(location.jurisdictions.filter((code) => !US_STATES.includes(code))).toEqual([])
        expect(new Set(location.jurisdictions).size).toBe(location.jurisdictions.length)
        expect(location.timezoneSource === null).toBe(location.timezones.length === 0)
        expect(location.isKnown).toBe(location.timezoneSource !== null && location.timezoneSource !== 'default')
        expect(location.state === null).toBe(location.source === null)
        if (location.state !== null) expect(location.jurisdictions).toContain(location.state)
        expect(location.zip ?? '00501').toMatch(/^\d{5}$/)
      }),
      { numRuns: 2000 },
    )
  })

  it('a lead with a foreign phone gets zones only from its timezone field', () => {
    fc.assert(
      fc.property(leads, (lead) => {
        const { timezones, timezoneSource } = locate({ ...lead, phone_number: '+442079460123' }, policy)
        expect(timezones.length > 0).toBe(timezoneSource === 'timezone')
      }),
    )
  })

  it('a lead is located the same way each time', () => {
    fc.assert(fc.property(leads, (lead) => expect(locate(lead, policy)).toEqual(locate(structuredClone(lead), policy))))
  })
})

describe('a ZIP', () => {
  const plusFour = fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0'))

  it('a ZIP means the same place in each of its spellings', () => {
    fc.assert(
      fc.property(fc.integer({ min: 501, max: 99_999 }), plusFour, (number, four) => {
        const zip = String(number).padStart(5, '0')
        const place = readZip(zip).value
        const joined = number >= 1000 ? [`${zip}${four}`, Number(`${number}${four}`), `${number}${four}`] : [`${zip}${four}`]
        const spellings = [
          number,
          String(number),
          ` ${zip} `,
          `${zip}-${four}`,
          `${zip} ${four}`,
          `${number}-${four}`,
          `${number}.0`,
          ...joined,
        ]
        for (const spelling of spellings) expect([spelling, readZip(spelling).value]).toEqual([spelling, place])
      }),
      { numRuns: 2000 },
    )
  })
})
