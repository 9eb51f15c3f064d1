import { describe, expect, it } from '@jest/globals'
import { locate } from '#shared/location/rules/locate.ts'
import { samplePolicy } from '#test/support/samples.ts'

const placeOf = (state: string | null, timezone: string | null) => ({ state, timezone })
const PLACES = new Map([
  ['203.0.113.7', placeOf('CA', 'America/Los_Angeles')],
  ['203.0.113.8', placeOf('TX', null)],
  ['203.0.113.9', placeOf(null, 'Europe/London')],
  ['203.0.113.10', placeOf(null, 'America/Chicago')],
  ['192.0.2.1', placeOf('ON', 'Mars/Olympus')],
])
const policy = samplePolicy({ placeOfIp: (address) => PLACES.get(address) })

/** A New York phone: that state's law ignores area codes. */
const NEW_YORK = '+12125550001'
const MIAMI = '+13055550001'

const located = (metadata: Record<string, unknown>, { us_state = null as string | null, phone_number = NEW_YORK } = {}) =>
  locate({ metadata, us_state, phone_number }, policy)

const [EAST, CENTRAL, MOUNTAIN, PACIFIC] = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']

describe('the state of a lead', () => {
  const everything = { state: 'GA', property_state: 'OH', zip: '94105', property_zip: '60601' }

  it.each([
    ['us_state', 'NC', { ...everything, us_state: 'TX' }, 'NC'],
    ['us_state', null, { ...everything, us_state: 'NC' }, 'NC'],
    ['state', null, { ...everything, us_state: 'Ontario' }, 'GA'],
    ['property_state', null, { ...everything, state: null }, 'OH'],
    ['zip', null, { zip: '94105', property_zip: '60601' }, 'CA'],
    ['property_zip', null, { property_zip: '60601' }, 'IL'],
    [null, null, {}, null],
    ['property_state', null, { ...everything, state: '  ' }, 'OH'],
    ['property_state', null, { ...everything, state: 'Ontario' }, 'OH'],
    ['property_zip', null, { zip: '99999', property_zip: '60601' }, 'IL'],
  ])('the state of a lead comes from %s', (source, us_state, metadata, state) => {
    expect(located(metadata, { us_state })).toMatchObject({ state, source })
  })

  it('the state of a lead does not come from the IP address', () => {
    expect(located({ ip: '203.0.113.7' })).toMatchObject({ state: null, source: null, jurisdictions: ['CA'] })
  })
})

describe('a lead with only a phone number', () => {
  it.each([
    ['+16715550001', [EAST, 'Pacific/Guam']],
    ['+16705550001', [EAST, 'Pacific/Saipan']],
    ['+16845550001', [EAST, 'Pacific/Pago_Pago']],
    ['+18085550001', [EAST]],
    ['+17875550001', [EAST]],
  ])('a lead with only a phone number gets the default zone, plus the zone of a far Pacific island: %s', (phone_number, timezones) => {
    expect(located({}, { phone_number })).toMatchObject({ timezones, timezoneSource: 'default', isKnown: false })
    expect(located({ zip: '94105' }, { phone_number }).timezones).toEqual([PACIFIC])
  })
})

describe('the zones of a lead', () => {
  const everything = {
    ...{ timezone: 'America/Anchorage', zip: '94105', state: 'GA', property_zip: '60601', property_state: 'CO', ip_address: '203.0.113.7' },
  }
  const without = (...keys: string[]) => Object.fromEntries(Object.entries(everything).filter(([key]) => !keys.includes(key)))

  it.each([
    ['timezone', everything, ['America/Anchorage']],
    ['zip', without('timezone'), [PACIFIC]],
    ['state', { ...without('timezone', 'zip'), state: 'CA', us_state: 'GA' }, [EAST]],
    ['property_zip', without('timezone', 'zip', 'state'), [CENTRAL]],
    ['property_state', without('timezone', 'zip', 'state', 'property_zip'), [MOUNTAIN]],
    ['ip', { ip_address: '203.0.113.7' }, [PACIFIC]],
    ['ip', { ip: '203.0.113.8' }, [CENTRAL, MOUNTAIN]],
    ['ip', { ip_address: '', ip: ' 203.0.113.7 ' }, [PACIFIC]],
    ['default', { ip: '192.0.2.1' }, [EAST]],
    ['default', { ip: '203.0.113.9' }, [EAST]],
    ['ip', { ip: '203.0.113.10' }, [CENTRAL]],
    ['default', {}, [EAST]],
    ['zip', { timezone: 'Mars/Olympus', zip: '94105' }, [PACIFIC]],
    ['state', { zip: 'K1A 0B1', state: 'Georgia' }, [EAST]],
    ['default', { timezone: 7, zip: { a: 1 }, state: [], ip: 4 }, [EAST]],
  ])('the zones of a lead come from %s', (timezoneSource, metadata, timezones) => {
    expect(located(metadata)).toMatchObject({ timezoneSource, timezones, isKnown: timezoneSource !== 'default' })
  })

  it('the zones of a lead come from the lead field before the metadata', () => {
    expect(located({ state: 'CA' }, { us_state: 'GA' })).toMatchObject({ timezoneSource: 'state', timezones: [EAST] })
  })

  it.each([
    ['FL', [EAST, CENTRAL]],
    ['TX', [CENTRAL, MOUNTAIN]],
    ['IN', ['America/Indiana/Indianapolis', CENTRAL]],
    ['MI', ['America/Detroit', 'America/Menominee']],
    ['ID', ['America/Boise', PACIFIC]],
    ['AZ', ['America/Phoenix', MOUNTAIN]],
    ['AK', ['America/Anchorage', 'America/Adak']],
    ['PR', ['America/Puerto_Rico']],
  ])('the zones of a lead are all zones of the state %s', (us_state, timezones) => {
    expect(located({}, { us_state }).timezones).toEqual(timezones)
  })

  it('the zones of a lead are only the zone of the ZIP when the state has several', () => {
    expect(located({ zip: '32501' }, { us_state: 'FL' })).toMatchObject({ timezones: [CENTRAL], state: 'FL', zip: '32501' })
  })

  it('the zones of a lead are the default of the deployment, marked as unknown, when nothing tells the place', () => {
    const hawaii = samplePolicy({ defaultTimezone: 'Pacific/Honolulu' })
    expect(locate({ metadata: {}, us_state: null, phone_number: NEW_YORK }, hawaii)).toEqual({
      ...{ state: null, zip: null, source: null, timezones: ['Pacific/Honolulu'], timezoneSource: 'default' },
      ...{ jurisdictions: [], presumed: null, isKnown: false, remarks: [] },
    })
  })
})

describe('a ZIP and a state that contradict each other', () => {
  it('a ZIP and a state that contradict each other set zone and state independently, and the rules of both apply', () => {
    expect(located({ zip: '90210' }, { us_state: 'FL' })).toEqual({
      ...{ state: 'FL', source: 'us_state', zip: '90210', timezones: [PACIFIC], timezoneSource: 'zip', isKnown: true },
      ...{ jurisdictions: ['FL', 'CA'], presumed: null },
      remarks: ['zip: 90210 is in CA, and us_state says FL: the rules of both apply.'],
    })
  })

  it('a lead is called by the rules of both places when its ZIP contradicts the state of its property', () => {
    expect(located({ zip: '90210', property_state: 'Texas' })).toMatchObject({
      state: 'TX',
      timezones: [PACIFIC],
      jurisdictions: ['TX', 'CA'],
    })
  })

  it('a lead is called by the rules of both places when its ZIP contradicts its state, even with an explicit zone', () => {
    expect(located({ zip: '90210', timezone: EAST }, { us_state: 'FL' })).toMatchObject({ timezones: [EAST], jurisdictions: ['FL', 'CA'] })
  })

  it('a lead is called by the rules of its state alone when only its property is elsewhere', () => {
    expect(located({ property_zip: '90210', property_state: 'CA' }, { us_state: 'GA' })).toMatchObject({
      ...{ state: 'GA', timezones: [EAST], jurisdictions: ['GA'], remarks: [] },
    })
  })

  it('a lead is also called by the rules of the place that sets its time zone', () => {
    expect(located({ property_state: 'GA', property_zip: '90210' })).toMatchObject({
      state: 'GA',
      timezones: [PACIFIC],
      jurisdictions: ['GA', 'CA'],
    })
  })
})

describe('military mail', () => {
  it.each([
    ['its code', {}, 'AE'],
    ['its name', { state: 'Armed Forces Europe' }, null],
    ['its ZIP', { zip: '09012' }, null],
    ['its ZIP beside a state', { zip: '09012', state: 'CA' }, null],
    ['its code beside a property', { property_zip: '94105', property_state: 'CA', ip: '203.0.113.7' }, 'AE'],
  ])('a lead with military mail has no local time: %s', (_, metadata, us_state) => {
    expect(located(metadata, { us_state })).toMatchObject({ timezones: [], timezoneSource: null, isKnown: false })
  })

  it.each([
    [{ zip: '94105' }, 'zip', [PACIFIC]],
    [{ timezone: 'Europe/Berlin' }, 'timezone', ['Europe/Berlin']],
  ])('a lead with military mail takes its local time from a ZIP or an explicit zone: %j', (metadata, timezoneSource, timezones) => {
    expect(located(metadata, { us_state: 'AE' })).toMatchObject({ state: 'AE', timezoneSource, timezones, isKnown: true })
  })

  it('a lead with military mail gets no local time from an area code', () => {
    expect(located({}, { us_state: 'AE', phone_number: MIAMI })).toMatchObject({ timezones: [], jurisdictions: ['AE', 'FL'] })
  })
})

describe('a phone outside the numbering plan', () => {
  it('a phone outside the numbering plan uses only an explicit time zone', () => {
    const abroad = { phone_number: '+442079460123' }
    expect(located({ zip: '90210', state: 'CA' }, abroad)).toMatchObject({
      timezones: [],
      timezoneSource: null,
      isKnown: false,
      state: 'CA',
    })
    expect(located({ timezone: 'Europe/London' }, abroad)).toMatchObject({
      timezones: ['Europe/London'],
      timezoneSource: 'timezone',
      isKnown: true,
    })
  })

  it.each(['+14165550123', '+18765550123', '+18005550123'])('the North American number %s gets the default zone', (phone_number) => {
    expect(located({}, { phone_number })).toMatchObject({ timezones: [EAST], timezoneSource: 'default', jurisdictions: [] })
  })
})

describe('an area code in a state that presumes its phones are there', () => {
  it.each([
    ['CT', '+19595550001', [EAST]],
    ['FL', '+13245550001', [EAST, CENTRAL]],
    ['MD', '+12275550001', [EAST]],
    ['OK', '+15725550001', [CENTRAL]],
    ['OR', '+14585550001', [PACIFIC, 'America/Boise']],
  ])('an area code in %s, which presumes its phones there, adds its rules and zones', (state, phone_number, zones) => {
    expect(located({}, { us_state: 'HI', phone_number })).toMatchObject({
      ...{
        state: 'HI',
        source: 'us_state',
        timezones: ['Pacific/Honolulu', ...zones],
        timezoneSource: 'state',
        jurisdictions: ['HI', state],
      },
    })
  })

  it('an area code of a presuming state adds its rules and zones to the default', () => {
    expect(located({}, { phone_number: MIAMI })).toMatchObject({
      ...{ state: null, timezones: [EAST, CENTRAL], timezoneSource: 'default', jurisdictions: ['FL'], isKnown: false },
    })
  })

  it('an area code of a presuming state adds nothing when the person is known to be in that state', () => {
    expect(located({ zip: '33101' }, { phone_number: MIAMI })).toMatchObject({ timezones: [EAST], jurisdictions: ['FL'] })
    expect(located({ timezone: EAST }, { us_state: 'FL', phone_number: MIAMI })).toMatchObject({ timezones: [EAST], jurisdictions: ['FL'] })
  })

  it('an area code of a presuming state adds its zones when the known zone is in another state', () => {
    expect(located({ zip: '90210' }, { us_state: 'FL', phone_number: MIAMI })).toMatchObject({
      ...{ timezones: [PACIFIC, EAST, CENTRAL], jurisdictions: ['FL', 'CA'] },
    })
  })

  it('an area code adds nothing for a state without that presumption', () => {
    expect(located({}, { us_state: 'HI', phone_number: NEW_YORK })).toMatchObject({
      timezones: ['Pacific/Honolulu'],
      jurisdictions: ['HI'],
    })
  })
})
