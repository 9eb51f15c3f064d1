import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isIn, slotsOf, toSlot } from '#lib/console/lead/slots.ts'
import { clockIn, instantOf, ownZone, timeIn, withTimesInWords } from '#lib/console/times.ts'

const ZONES = ['America/New_York', 'Pacific/Honolulu', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']
const MINUTE = 60_000

describe('the times of the console', () => {
  it('the machine times of a sentence are shown in words', () => {
    const words = timeIn(ownZone(), '2026-11-24T16:00:00Z')
    expect(withTimesInWords('From 2026-11-24T16:00:00.000000+00:00 to 2026-11-24T16:00:00Z, not on 2026-11-24.')).toBe(
      `From ${words} to ${words}, not on 2026-11-24.`,
    )
    expect(withTimesInWords('2026-99-99T99:00:00Z stays')).toBe('2026-99-99T99:00:00Z stays')
  })

  it('the instant of a clock time shows the same clock time, in every zone', () => {
    const minutes = fc.integer({ min: Date.UTC(2026, 0, 1) / MINUTE, max: Date.UTC(2028, 0, 1) / MINUTE })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, minute) => {
        const clock = clockIn(zone, minute * MINUTE)
        expect(clock).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
        expect(clockIn(zone, instantOf(clock, zone))).toBe(clock)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['2026-11-23T10:30', 'Pacific/Honolulu', '2026-11-23T20:30:00.000Z'],
    ['2026-11-01T03:00', 'America/New_York', '2026-11-01T08:00:00.000Z'],
    ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08T01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
  ])('the clock time %s in %s is the instant %s', (clock, zone, instant) => {
    expect(new Date(instantOf(clock, zone)).toISOString()).toBe(instant)
  })

  it.each([
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('the clock time %s, which the clock in %s skips, is half an hour after the change: %s', (clock, zone, instant) => {
    expect(new Date(instantOf(clock, zone)).toISOString()).toBe(instant)
  })

  it.each(['', '123456-01-01T10:00', '275760-12-31T10:00'])('the text %j names no instant', (text) => {
    expect(instantOf(text, 'UTC')).toBeNaN()
  })

  it('a time is shown with its zone, and in UTC when the zone is unknown', () => {
    const at = '2026-11-20T16:00:00Z'
    // Some versions of the data write a narrow space before AM.
    expect(timeIn('America/New_York', at).replaceAll('\u202f', ' ')).toBe('Fri, Nov 20, 2026, 11:00 AM EST')
    expect(timeIn('Mars/Olympus', at).replaceAll('\u202f', ' ')).toBe('Fri, Nov 20, 2026, 4:00 PM UTC')
  })
})

describe('the steps of the slider', () => {
  const slots = slotsOf({
    from: '2026-11-20T16:07:00Z',
    until: '2026-12-04T16:07:00Z',
    times: [{ from: '2026-11-20T18:00:00Z', until: '2026-11-21T06:59:00Z' }],
  })

  it('the slider begins at the quarter of an hour before now, and covers the whole period', () => {
    expect(new Date(slots.base).toISOString()).toBe('2026-11-20T16:00:00.000Z')
    expect(slots.base + slots.count * slots.step).toBeGreaterThanOrEqual(Date.parse('2026-12-04T16:07:00Z'))
    expect([toSlot(slots, slots.now), toSlot(slots, slots.base + 5 * slots.step)]).toEqual([0, 5])
  })

  it('a time of the slider is open from its first instant until just before its last', () => {
    const [time] = slots.open
    expect([time!.from - 1, time!.from, time!.until - 1, time!.until].map((at) => isIn(time!, at))).toEqual([false, true, true, false])
  })
})
