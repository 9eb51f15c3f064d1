import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { callingHours, hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { type Hours, inForceAt, lastStart, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import { changesBetween, ruleDates } from '#shared/calling/rules/hours/rule-dates.ts'
import { nextCall } from '#shared/calling/rules/next-call.ts'
import { OPEN } from '#shared/calling/rules/rules.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { sampleLead, samplePolicy } from '#test/support/samples.ts'
import { POLICY, placeAt } from './fixtures/calling-data.ts'
import { changesOfRules, minuteOf } from './fixtures/changes.ts'
import { account, at, EAST, everyDay } from './fixtures/hours-in.ts'
import { isLawful } from './fixtures/slow-reference.ts'
import { shown, US_ZONES } from './fixtures/zones.ts'

const dayOf = (date: string) => Date.parse(date) / DAY
const week = (from: number, until: number) => Array.from({ length: 7 }, () => [from * 60, until * 60] as const)
const federal: Hours = { ...OPEN, zone: EAST, rule: 'federal', citation: null, week: week(8, 21) }
const beginsOn = (date: string, hours: Partial<Hours>): Hours => ({ ...federal, rule: 'XX', from: dayOf(date), ...hours })
const endsOn = (date: string, hours: Partial<Hours>): Hours => ({ ...federal, rule: 'XX', until: dayOf(date), ...hours })

describe('a rule that is not in force', () => {
  const former = endsOn('2026-12-01', { week: week(8, 20) })
  const later = beginsOn('2026-12-01', { week: week(10, 18) })

  it('a rule that is not in force restricts nothing, and the next one begins at local midnight', () => {
    const hours = [federal, former, later]
    expect(nextStart(hours, at('2026-11-30T12:00:00Z'))).toBe(at('2026-11-30T13:00:00Z'))
    expect(lastStart(hours, at('2026-11-30T13:00:00Z'))).toBe(at('2026-12-01T00:58:59.999Z'))
    expect(nextStart(hours, at('2026-12-01T01:00:00Z'))).toBe(at('2026-12-01T15:00:00Z'))
    expect(lastStart(hours, at('2026-12-01T15:00:00Z'))).toBe(at('2026-12-01T22:58:59.999Z'))
  })

  it('a rule that is not in force takes no last minute from a day', () => {
    const midnight = at('2026-11-20T05:00:00Z')
    for (const rule of [endsOn('2020-01-01', {}), beginsOn('2030-01-01', {})]) {
      expect([midnight - MINUTE, midnight - 1, midnight].map((moment) => mayStart([rule], moment))).toEqual([true, true, true])
      expect(nextStart([rule], midnight - 1)).toBe(midnight - 1)
    }
  })

  it('a rule that is not in force gives no window an end, and the search for one ends', () => {
    expect(lastStart([endsOn('2020-01-01', {})], at('2026-11-20T16:00:00Z'))).toBeGreaterThan(at('2027-11-20T16:00:00Z'))
    expect(lastStart([federal, endsOn('2020-01-01', {})], at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
  })

  it('a rule that ends does not make hours without any window: the one after it may open them', () => {
    const shut = endsOn('2027-06-01', { week: [] })
    const narrow = { ...federal, rule: 'account', week: week(9, 17) }
    expect(nextStart([federal, shut, narrow], at('2026-11-20T16:00:00Z'))).toBe(at('2027-06-01T13:00:00Z'))
    expect(nextStart([federal, { ...shut, until: Number.POSITIVE_INFINITY }, narrow], at('2026-11-20T16:00:00Z'))).toBeNull()
  })

  it('a change takes effect in each zone at its own midnight', () => {
    const zones = [EAST, 'Pacific/Honolulu']
    const both = zones.flatMap((zone) => [former, later].map((rule) => ({ ...rule, zone })))
    // In New York it is 1 December already, in Honolulu still 30 November.
    const inForce = inForceAt(both, at('2026-12-01T08:00:00Z')).map(({ zone, from }) => [zone, from === later.from])
    expect(inForce).toEqual([
      [EAST, true],
      ['Pacific/Honolulu', false],
    ])
  })
})

const dates = fc.integer({ min: dayOf('2026-10-01'), max: dayOf('2027-03-01') })
const windows = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 4 }))
    .map(([from, length]) => [from * 60, (from + length) * 60] as const),
  { freq: 5 },
)

/** Rows that follow one another, in one zone. */
const rows = fc
  .record({
    zone: fc.constantFrom(...US_ZONES),
    changes: fc.uniqueArray(dates, { maxLength: 3 }),
    weeks: fc.array(fc.array(windows, { minLength: 7, maxLength: 7 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ zone, changes, weeks }): Hours[] => {
    const starts = [Number.NEGATIVE_INFINITY, ...changes.toSorted((one, other) => one - other)]
    return starts.map((from, index) => ({
      ...federal,
      zone,
      rule: 'XX',
      from,
      until: starts[index + 1] ?? Number.POSITIVE_INFINITY,
      week: weeks[index] ?? [],
    }))
  })

/** As the law has it, minute by minute: now not in the last minute, and a minute later still inside. */
const isLawfulUnder = (hours: readonly Hours[], moment: number): boolean => {
  const isInside = ({ zone, from, until, week: windowsOf }: Hours, then: number, margin: number): boolean => {
    const { date, minutes } = shown(zone, then)
    const day = dayOf(date)
    if (day < from || day >= until) return true
    const window = windowsOf[new Date(date).getUTCDay()] ?? null
    return window !== null && window[0] <= minutes && minutes < window[1] - margin
  }
  return hours.every((rule) => isInside(rule, moment, 1) && isInside(rule, moment + MINUTE, 0))
}

describe('planning across changes of rules', () => {
  it('planning across any changes finds the first start that is lawful at its own time', () => {
    const zoned = fc.array(rows, { minLength: 1, maxLength: 3 })
    const instants = fc.integer({ min: at('2026-09-25T00:00:00Z'), max: at('2027-03-08T00:00:00Z') })
    fc.assert(
      fc.property(zoned, instants, (law, from) => {
        const hours = law.flatMap((ofZone) => [...ofZone, { ...federal, zone: ofZone[0]!.zone }])
        const next = nextStart(hours, from)
        const until = next ?? from + 3 * DAY
        for (let moment = from; moment < until; moment += 15 * MINUTE) expect(isLawfulUnder(hours, moment)).toBe(false)
        if (next === null) return
        expect(isLawfulUnder(hours, next)).toBe(true)
        if (next > from) expect(isLawfulUnder(hours, next - 1)).toBe(false)
        const last = lastStart(hours, next)
        expect([isLawfulUnder(hours, last), isLawfulUnder(hours, last + 1)]).toEqual([true, false])
      }),
      { numRuns: 300 },
    )
  })

  it('planning across the changes of the data never gives a start that is unlawful at its own time', () => {
    const changes = changesOfRules().flatMap(({ code, from, zones }) => zones.map((zone) => ({ code, from, zone })))
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        fc.integer({ min: -10 * 24, max: 4 * 24 }),
        fc.integer({ min: 0, max: HOUR }),
        (change, hoursAway, rest) => {
          const { code, zone, from } = change
          const now = minuteOf(zone, from, 0) + hoursAway * HOUR + rest
          const question = { zones: [zone], codes: [code], account: null }
          const planned = nextCall(
            sampleLead({ us_state: code, metadata: { timezone: zone } }),
            now,
            'FIRST_CALL',
            samplePolicy(),
          ).next_call_time
          expect(planned).toBe(nextStart(hoursAt(placeAt([zone], [code]), POLICY), now))
          expect(isLawful(question, planned!)).toBe(true)
          if (planned! > now) expect(isLawful(question, planned! - 1)).toBe(false)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('planning counts the zones of an area code in each stretch of days in which the law presumes its place', () => {
    const stretches = ['2026-03-02', '2026-05-04'].map((date) => ({ from: dayOf(date), until: dayOf(date) + 7 }))
    const presumed = { state: 'FL', days: stretches, zones: ['Pacific/Honolulu'], isAlone: false }
    const hours = hoursAt({ ...placeAt([EAST, 'Pacific/Honolulu']), presumed }, POLICY)
    // 12:00 in New York, and early morning in Honolulu.
    const dates = ['2026-02-25', '2026-03-04', '2026-04-01', '2026-05-06', '2026-05-13']
    expect(dates.map((date) => mayStart(hours, minuteOf(EAST, date, 12 * 60)))).toEqual([true, false, true, false, true])
  })

  it('planning for an account that only opens in hours of the former law finds no time after the change', () => {
    const evening = hoursAt(placeAt([EAST], ['PA']), { ...POLICY, ...account({ windows: everyDay(['19:30', '20:30']) }) })
    expect(nextStart(evening, at('2026-10-16T16:00:00Z'))).toBe(at('2026-10-16T23:30:00Z'))
    expect(nextStart(evening, at('2026-10-18T01:00:00Z'))).toBeNull()
  })
})

describe('the dates of the rules', () => {
  it('the hours by the clock of California hold on all days, although an area code adds this clock on some days only', () => {
    const lead = sampleLead({ phone_number: '+15035550101', us_state: 'CA', metadata: { timezone: 'Pacific/Honolulu' } })
    const { hours } = callingHours(lead, samplePolicy())
    // 19:00 in Honolulu is 22:00 in Los Angeles. The law of Oregon presumes the place of an area code since 2026.
    expect(['2025-06-11T05:00:00Z', '2026-06-11T05:00:00Z'].map((iso) => mayStart(hours, at(iso)))).toEqual([false, false])
  })

  it('the dates of a rule are its own, although it holds in a presumed zone only on some of its days', () => {
    const lead = { ...sampleLead({ us_state: 'NY', phone_number: '+18505550100' }), metadata: {} }
    const { hours } = callingHours(lead, samplePolicy())
    const rules = ruleDates(inForceAt(hours, at('2026-11-20T16:00:00Z')))
    expect(rules.filter(({ rule }) => rule === 'federal')).toEqual([{ rule: 'federal', from: null, until: null }])
    expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length)
  })

  it('no rule is said to change on the day from which on its hours count in a presumed zone', () => {
    const lead = { ...sampleLead({ us_state: 'NY', phone_number: '+18505550100' }), metadata: {} }
    const { hours } = callingHours(lead, samplePolicy())
    const sentences = changesBetween(hours, at('2021-07-01T03:00:00Z'), at('2021-07-01T14:00:00Z'))
    expect(new Set(sentences)).toEqual(new Set(['The rules of FL change on 2021-07-01, before the next time.']))
  })
})
