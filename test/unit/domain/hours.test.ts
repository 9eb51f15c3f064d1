import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { callingHours } from '#shared/domain/calling/calling-hours.ts'
import { lastStart, mayStart, nextStart } from '#shared/domain/calling/hours.ts'

const DEFAULT = 'America/New_York'
const at = (iso: string) => Date.parse(iso)
const hoursIn = (timezone: string) => callingHours({ metadata: { timezone } }, DEFAULT).hours

describe('the federal window, 08:00 to 21:00 where the person is', () => {
  it.each([
    ['America/New_York', '2026-11-20T12:59:59.999Z', false],
    ['America/New_York', '2026-11-20T13:00:00.000Z', true],
    ['America/New_York', '2026-11-21T01:58:59.999Z', true],
    ['America/New_York', '2026-11-21T01:59:00.000Z', false],
    ['America/New_York', '2026-11-21T02:00:00.000Z', false],
    ['America/Los_Angeles', '2026-11-20T15:59:59.000Z', false],
    ['America/Los_Angeles', '2026-11-20T16:00:00.000Z', true],
    ['America/Phoenix', '2026-07-01T15:00:00.000Z', true],
    ['America/Phoenix', '2026-07-01T14:59:59.000Z', false],
    ['Pacific/Honolulu', '2026-11-20T18:00:00.000Z', true],
    ['Pacific/Guam', '2026-11-20T22:00:00.000Z', true],
    ['America/St_Johns', '2026-11-20T11:30:00.000Z', true],
    ['America/St_Johns', '2026-11-20T11:29:59.000Z', false],
    // The day on which clocks go forward, and the one on which they go back.
    ['America/New_York', '2026-03-08T12:00:00.000Z', true],
    ['America/New_York', '2026-03-08T11:59:59.000Z', false],
    ['America/New_York', '2026-11-01T13:00:00.000Z', true],
    ['America/New_York', '2026-11-01T12:59:59.000Z', false],
  ])('%s at %s: %s', (zone, iso, lawful) => {
    expect(mayStart(hoursIn(zone), at(iso))).toBe(lawful)
  })

  it('says when a call may start next', () => {
    expect(nextStart(hoursIn('America/New_York'), at('2026-11-20T08:00:00Z'))).toBe(at('2026-11-20T13:00:00Z'))
    expect(nextStart(hoursIn('America/New_York'), at('2026-11-21T01:59:00Z'))).toBe(at('2026-11-21T13:00:00Z'))
    expect(nextStart(hoursIn('America/New_York'), at('2026-10-31T23:59:00Z'))).toBe(at('2026-10-31T23:59:00Z'))
  })

  it('says until when a call may start', () => {
    expect(lastStart(hoursIn('America/New_York'), at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
  })
})

describe('where nothing tells the place', () => {
  it.each([undefined, 'Mars/Olympus', 'EST5EDT4', '', 42])('%s is no zone: the narrow window of the default one', (timezone) => {
    const { source, hours } = callingHours({ metadata: { timezone } }, DEFAULT)
    expect(source).toBe('default')
    expect(mayStart(hours, at('2026-11-20T18:59:59Z'))).toBe(false)
    expect(mayStart(hours, at('2026-11-20T19:00:00Z'))).toBe(true)
    expect(mayStart(hours, at('2026-11-21T00:58:59Z'))).toBe(true)
    expect(mayStart(hours, at('2026-11-21T00:59:00Z'))).toBe(false)
  })
})

/** A clock that asks Intl, slowly. */
const localMinutes = (zone: string, instant: number): number => {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(
    instant,
  )
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value)
  return part('hour') * 60 + part('minute')
}

const zones = fc.constantFrom(
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/St_Johns',
)
const instants = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2030-12-31T00:00:00Z') })

describe('properties', () => {
  it('agrees with a reference that asks Intl', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const minutes = localMinutes(zone, instant)
        expect(mayStart(hoursIn(zone), instant)).toBe(minutes >= 8 * 60 && minutes < 21 * 60 - 1)
      }),
      { numRuns: 500 },
    )
  })

  it('finds an instant that is lawful, and none before it that is', () => {
    fc.assert(
      fc.property(zones, zones, instants, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, instant, share) => {
        const hours = [...hoursIn(one), ...hoursIn(other)]
        const next = nextStart(hours, instant) ?? Number.NaN
        expect(mayStart(hours, next)).toBe(true)
        const between = Math.floor(instant + (next - instant) * share)
        expect(between === next || !mayStart(hours, between)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
