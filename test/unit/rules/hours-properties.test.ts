import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { attemptCapAt, hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { lastStart, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import type { CallingPolicy } from '#shared/calling/rules/policy.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { parseAccountHours } from './fixtures/account-hours.ts'
import { CODES, POLICY, placeAt } from './fixtures/calling-data.ts'
import { isLawful, lowestCap, type Question } from './fixtures/slow-reference.ts'
import { ALL_ZONES, edgesOf, ODD_ZONES, US_ZONES } from './fixtures/zones.ts'

const QUARTER = 15 * MINUTE
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Asked extends Question {
  readonly account: CallingPolicy['account']
}

const hoursOf = ({ zones, codes, account }: Asked) => hoursAt(placeAt(zones, codes), { ...POLICY, account })
const text = (question: Asked, at: number) => `${JSON.stringify(question)} at ${new Date(at).toISOString()}`

const expectSame = (question: Asked, at: number): void => {
  const [said, expected] = [mayStart(hoursOf(question), at), isLawful(question, at)]
  if (said !== expected) throw new Error(`${text(question, at)}: ${said}`)
  expect(closedBecause(hoursOf(question), at).length === 0).toBe(said)
  expect(attemptCapAt(hoursOf(question), at)?.max ?? null).toBe(lowestCap(question, at))
}

/** The next start must be lawful. No earlier minute from now on may be, nor the millisecond before it. */
const expectFirst = (question: Asked, at: number): void => {
  const next = nextStart(hoursOf(question), at)
  // Windows here open on local quarters of an hour. Without a next start, only quarters are checked, over a longer time.
  const [start, step] = next === null ? [at + QUARTER - (at % QUARTER), QUARTER] : [at, MINUTE]
  const until = next ?? at + 10 * DAY
  for (let moment = start; moment < until; moment += step) {
    if (isLawful(question, moment)) throw new Error(`${text(question, moment)} is before ${next}`)
  }
  if (next === null) return
  if (!isLawful(question, next) || (next > at && isLawful(question, next - 1))) throw new Error(`${text(question, next)} is not the first`)
  const last = lastStart(hoursOf(question), next)
  if (!isLawful(question, last) || isLawful(question, last + 1)) throw new Error(`${text(question, last)} is not the last`)
}

const edges = ALL_ZONES.flatMap((zone) => edgesOf(zone).map((edge) => ({ zone, edge })))

describe('calling hours around every clock change from 2024 to 2030', () => {
  it('calling hours around every clock change from 2024 to 2030 match a reference that uses Intl', () => {
    expect(edges.length).toBeGreaterThan(1500)
    for (const [index, { zone, edge }] of edges.entries()) {
      const code = CODES[index % CODES.length]!
      const question = { zones: [zone], codes: [code], account: null }
      for (const at of [edge - 1000, edge, edge + 1000]) expectSame(question, at)
      // Windows open and close on full local hours. In St. John's and some other zones, clock changes and windows are half an hour off.
      const midnight = edge - 12 * HOUR
      const next = nextStart(hoursOf(question), midnight)
      if (next === null) continue
      const last = lastStart(hoursOf(question), next)
      for (const at of [next - 1000, next - 1, next, last, last + 1, last + 1000]) expectSame(question, at)
    }
  })

  it('calling hours give the first lawful instant after each clock change, in US zones and in odd ones', () => {
    const near = edges.filter(({ zone }) => US_ZONES.includes(zone) || ODD_ZONES.includes(zone))
    for (const [index, { zone, edge }] of near.entries()) {
      expectFirst({ zones: [zone], codes: [CODES[(index * 7) % CODES.length]!], account: null }, edge + ((index % 3) - 1) * 1000)
    }
  })
})

const times = fc.tuple(fc.integer({ min: 0, max: 46 }), fc.integer({ min: 1, max: 47 })).map(([first, length]) => {
  const time = (half: number) => `${`${Math.floor(half / 2)}`.padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`
  return [time(first), time(Math.min(48, first + length))] as [string, string]
})
const day = fc.option(times, { freq: 6 })
const accounts = fc
  .record({
    windows: fc.option(fc.record({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day })),
    holidays: fc.constantFrom('none' as const, 'federal' as const),
    closed_dates: fc.constantFrom([], ['2027-05-05', '2027-05-06', '2028-02-29']),
  })
  .map(parseAccountHours)

const someZones = fc.uniqueArray(fc.constantFrom(...US_ZONES, ...US_ZONES, ...ODD_ZONES), { minLength: 1, maxLength: 3 })
const questions = fc.record({
  zones: someZones,
  codes: fc.uniqueArray(fc.constantFrom(...CODES), { maxLength: 3 }),
  account: fc.option(accounts),
})
const instants = fc.oneof(
  fc
    .tuple(fc.constantFrom(...edges.map(({ edge }) => edge)), fc.integer({ min: -36 * HOUR, max: 36 * HOUR }))
    .map(([edge, distance]) => edge + distance),
  fc.integer({ min: Date.UTC(2018, 0), max: Date.UTC(2031, 0) }),
)

describe('calling hours of any jurisdictions, zones and account', () => {
  it('calling hours of any jurisdictions, zones and account match a reference that uses Intl', () => {
    fc.assert(
      fc.property(questions, instants, (question, at) => expectSame(question, at)),
      { numRuns: 3000 },
    )
  })

  it('calling hours of any jurisdictions, zones and account open next at the earliest lawful instant', () => {
    fc.assert(
      fc.property(questions, instants, (question, at) => expectFirst(question, at)),
      { numRuns: 150 },
    )
  })
})
