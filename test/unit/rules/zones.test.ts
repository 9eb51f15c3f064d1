import { describe, expect, it } from '@jest/globals'
import { getTimezoneOffset } from 'date-fns-tz'
import fc from 'fast-check'
import { STATE_ZONES } from '#shared/data/state-zones.ts'
import { statesWithClock } from '#shared/location/rules/state.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { isZone, stretchAt, zoneOffset } from '#shared/platform/values/zones.ts'
import { ALL_ZONES, edgesOf, shown } from './fixtures/zones.ts'

const at = (iso: string) => Date.parse(iso)

describe('the clocks of zones', () => {
  it('the clocks of zones change at the same second as in Intl, in every zone from 2024 to 2030', () => {
    let edges = 0
    for (const zone of ALL_ZONES) {
      for (const edge of edgesOf(zone)) {
        edges++
        for (const near of [edge - 1000, edge - 1, edge, edge + 1, edge + 1000]) {
          if (zoneOffset(zone, near) !== shown(zone, near).offset) throw new Error(`${zone} at ${new Date(near).toISOString()}`)
        }
      }
    }
    expect(ALL_ZONES.length).toBeGreaterThan(400)
    expect(edges).toBeGreaterThan(1500)
  })

  it('the clocks of zones agree with Intl at any time, in any order of years', () => {
    const instants = fc.integer({ min: at('1971-01-01T00:00:00Z'), max: at('2099-12-31T00:00:00Z') })
    fc.assert(
      fc.property(fc.constantFrom(...ALL_ZONES), instants, (zone, instant) => zoneOffset(zone, instant) === shown(zone, instant).offset),
      { numRuns: 3000 },
    )
  })

  it('the clocks of zones agree with another library', () => {
    for (const zone of ALL_ZONES) {
      const instant = at('2026-11-20T16:00:00Z')
      expect(zoneOffset(zone, instant)).toBe(getTimezoneOffset(zone, new Date(instant)))
    }
  })

  it.each([
    // Morocco puts its clocks back for Ramadan. Recife had one week of summer time. Monrovia once had an offset with seconds.
    ['Africa/Casablanca', '2026-02-14T12:00:00Z', 1],
    ['Africa/Casablanca', '2026-02-16T12:00:00Z', 0],
    ['Africa/Casablanca', '2026-03-23T12:00:00Z', 1],
    ['America/Recife', '2000-10-07T12:00:00Z', -3],
    ['America/Recife', '2000-10-12T12:00:00Z', -2],
    ['America/Recife', '2000-10-16T12:00:00Z', -3],
    ['Africa/Monrovia', '1971-06-01T12:00:00Z', -44.5 / 60],
    ['America/New_York', '1874-06-01T12:00:00Z', -(4 + 56 / 60 + 2 / 3600)],
    ['Asia/Kathmandu', '2026-11-20T12:00:00Z', 5.75],
    ['Australia/Lord_Howe', '2026-11-20T12:00:00Z', 11],
    ['Australia/Lord_Howe', '2026-06-20T12:00:00Z', 10.5],
    ['Pacific/Kiritimati', '2026-11-20T12:00:00Z', 14],
    ['UTC', '9999-12-31T23:59:59Z', 0],
    ['Etc/GMT+5', '2026-11-20T12:00:00Z', -5],
    ['US/Pacific', '2026-11-20T12:00:00Z', -8],
    ['america/los_angeles', '2026-11-20T12:00:00Z', -8],
  ])('the clocks of a zone have the right offset in %s at %s: %s hours', (zone, iso, hours) => {
    expect(zoneOffset(zone, at(iso))).toBeCloseTo(hours * HOUR, 3)
  })

  it('the clocks of a zone give the span over which the offset stays the same', () => {
    expect(stretchAt('America/New_York', at('2026-03-08T07:00:00Z')).from).toBe(at('2026-03-08T07:00:00Z'))
    expect(stretchAt('America/New_York', at('2026-11-01T05:59:59Z')).until).toBe(at('2026-11-01T06:00:00Z'))
    fc.assert(
      fc.property(fc.constantFrom(...ALL_ZONES), fc.integer({ min: 0, max: at('2040-01-01T00:00:00Z') }), (zone, instant) => {
        const stretch = stretchAt(zone, instant)
        expect(stretch.from <= instant && instant < stretch.until).toBe(true)
        expect(zoneOffset(zone, stretch.from)).toBe(stretch.offset)
        expect(zoneOffset(zone, stretch.until - 1)).toBe(stretch.offset)
      }),
      { numRuns: 300 },
    )
  })

  it.each(['', 'Mars/Olympus', 'Z', '+05:00', 'GMT+5', 'EST5EDT4', 'America', '../etc/passwd', 'constructor'])(
    'an invalid zone name has no clocks: %s',
    (name) => {
      expect(isZone(name)).toBe(false)
      expect(() => zoneOffset(name, 0)).toThrow(`There is no time zone ${name}.`)
    },
  )

  it('the clocks of a zone stay correct for 1,200 spellings of its name', () => {
    const letters = [...'america/new_york']
    for (let number = 0; number < 1200; number++) {
      const name = letters.map((letter, index) => ((number >> index) & 1 ? letter.toUpperCase() : letter)).join('')
      expect(zoneOffset(name, at('2026-11-20T12:00:00Z'))).toBe(-5 * HOUR)
    }
    expect(zoneOffset('UTC', at('2026-11-20T12:00:00Z'))).toBe(0)
  })
})

it('a clock is in use in each state that has a zone which shows the same time all the year', () => {
  const days = Array.from({ length: 365 }, (_, day) => at('2026-01-01T00:00:00Z') + day * DAY)
  const timesIn = (zone: string): string => days.map((day) => zoneOffset(zone, day)).join()
  const states = Object.entries(STATE_ZONES)
  for (const zone of new Set(states.flatMap(([, zones]) => zones))) {
    const withClock = states.filter(([, zones]) => zones.some((other) => timesIn(other) === timesIn(zone)))
    expect(statesWithClock([zone]).toSorted()).toEqual(withClock.map(([state]) => state).toSorted())
  }
})
