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
    // The evening before: the offset is still the old one.
    ['America/Los_Angeles', '2026-11-01T03:58:59.000Z', true],
    ['America/Los_Angeles', '2026-11-01T04:30:00.000Z', false],
    ['America/Los_Angeles', '2026-03-08T04:30:00.000Z', true],
    ['America/Denver', '2026-11-01T03:30:00.000Z', false],
    ['Australia/Sydney', '2026-10-03T22:30:00.000Z', true],
  ])('%s at %s: %s', (zone, iso, lawful) => {
    expect(mayStart(hoursIn(zone), at(iso))).toBe(lawful)
  })

  it('says when a call may start next', () => {
    expect(nextStart(hoursIn('America/New_York'), at('2026-11-20T08:00:00Z'))).toBe(at('2026-11-20T13:00:00Z'))
    expect(nextStart(hoursIn('America/New_York'), at('2026-11-21T01:59:00Z'))).toBe(at('2026-11-21T13:00:00Z'))
    expect(nextStart(hoursIn('America/New_York'), at('2026-10-31T23:59:00Z'))).toBe(at('2026-10-31T23:59:00Z'))
    // Late in the evening before the clocks go forward, and before that one.
    expect(nextStart(hoursIn('America/New_York'), at('2026-03-07T04:00:00Z'))).toBe(at('2026-03-07T13:00:00Z'))
    expect(nextStart(hoursIn('America/New_York'), at('2026-03-08T04:30:00Z'))).toBe(at('2026-03-08T12:00:00Z'))
  })

  it('says until when a call may start', () => {
    expect(lastStart(hoursIn('America/New_York'), at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
  })
})

describe('where nothing tells the place', () => {
  it.each([undefined, 'Mars/Olympus', 'EST5EDT4', '', 42, 'Z', '+05:00', 'GMT+5'])(
    '%s is no zone: the narrow window of the default one',
    (timezone) => {
      const { source, hours } = callingHours({ metadata: { timezone } }, DEFAULT)
      expect(source).toBe('default')
      expect(mayStart(hours, at('2026-11-20T18:59:59Z'))).toBe(false)
      expect(mayStart(hours, at('2026-11-20T19:00:00Z'))).toBe(true)
      expect(mayStart(hours, at('2026-11-21T00:58:59Z'))).toBe(true)
      expect(mayStart(hours, at('2026-11-21T00:59:00Z'))).toBe(false)
    },
  )
})

/** A clock that asks Intl, slowly. */
const localMinutes = (zone: string, instant: number): number => {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(
    instant,
  )
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value)
  return part('hour') * 60 + part('minute')
}

const ZONES = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles', 'America/Anchorage'],
  ...['America/Adak', 'Pacific/Honolulu', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Europe/London'],
]
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Hours of 2024 to 2030 after which the zone's clock is another one. */
const transitions = (zone: string): number[] => {
  const found: number[] = []
  const shift = (instant: number) => localMinutes(zone, instant) - (Math.floor(instant / 60_000) % 1440)
  for (let day = at('2024-01-01T00:00:00Z'); day < at('2031-01-01T00:00:00Z'); day += DAY) {
    if ((shift(day + DAY) - shift(day)) % 1440 === 0) continue
    for (let hour = day; hour < day + DAY; hour += HOUR) if ((shift(hour + HOUR) - shift(hour)) % 1440 !== 0) found.push(hour)
  }
  return found
}
const edges = ZONES.flatMap((zone) => transitions(zone).map((edge): [string, number] => [zone, edge]))

const isLawful = (zone: string, instant: number): boolean => {
  const minutes = localMinutes(zone, instant)
  return minutes >= 8 * 60 && minutes < 21 * 60 - 1
}

const aroundEdges = fc
  .tuple(fc.constantFrom(...edges), fc.integer({ min: -36 * HOUR, max: 36 * HOUR }))
  .map(([[zone, edge], distance]): [string, number] => [zone, edge + distance])
const anywhere = fc.tuple(fc.constantFrom(...ZONES), fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2030-12-31T00:00:00Z') }))
const moments = fc.oneof(aroundEdges, anywhere)

describe('properties, most of all around the days on which clocks change', () => {
  it('agrees with a reference that asks Intl', () => {
    expect(edges.length).toBeGreaterThan(100)
    fc.assert(
      fc.property(moments, ([zone, instant]) => {
        expect(mayStart(hoursIn(zone), instant)).toBe(isLawful(zone, instant))
      }),
      { numRuns: 2000 },
    )
  })

  it('finds an instant that is lawful, and no minute before it that is', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...ZONES), ([one, instant], other) => {
        const both = (moment: number) => isLawful(one, moment) && isLawful(other, moment)
        const next = nextStart([...hoursIn(one), ...hoursIn(other)], instant)
        if (next === null) {
          for (let moment = instant; moment < instant + 2 * DAY; moment += 10 * 60_000) expect(both(moment)).toBe(false)
          return
        }
        expect(both(next)).toBe(true)
        for (let moment = instant; moment < next; moment += 60_000) expect(both(moment)).toBe(false)
        if (next > instant) expect(both(next - 1)).toBe(false)
      }),
      { numRuns: 150 },
    )
  }, 60_000)
})
