import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import { representExplanation } from '#shared/calling/api/explanation.ts'
import { WEEKDAYS } from '#shared/calling/rules/calling-rules.ts'
import { explain } from '#shared/calling/rules/dial/explain.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType, samplePolicy } from '#test/support/samples.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const { phone, lines } = sampleInputs()
const next = (inputs: ReturnType<typeof sampleInputs>, at = NOON) => explain(inputs, at).nextCallableTime

const account = {
  windows: Object.fromEntries(WEEKDAYS.map((day) => [day, day === 'mon' ? (['10:00', '15:00'] as const) : null])),
  holidays: 'none',
  closed_dates: ['2026-11-23'],
} as unknown as NonNullable<ReturnType<typeof samplePolicy>['account']>

const near = (days: number) => fc.integer({ min: -days * DAY, max: days * DAY }).map((distance) => NOON + distance)

const someInputs = fc
  .record({
    us_state: fc.constantFrom(null, 'FL', 'AL', 'TX', 'PA', 'CT', 'NY', 'NE', 'ME'),
    timezone: fc.constantFrom('America/New_York', 'America/Los_Angeles', undefined, 'Mars/Olympus'),
    start: fc.option(near(3)),
    attempts: fc.array(fc.integer({ min: 0, max: DAY }), { maxLength: 6 }),
    open_until: fc.oneof(fc.constant(0), near(1)),
    isNarrow: fc.boolean(),
    due: fc.option(near(2)),
  })
  .map(({ us_state, timezone, start, attempts, open_until, isNarrow, due }) =>
    sampleInputs({
      lead: { us_state, metadata: timezone === undefined ? {} : { timezone }, call_schedule_start_time: start, next_call_time: due },
      phone: { ...phone, attempts: attempts.map((ago) => NOON - ago) },
      breaker: { ...TRUSTED, open_until, reason: 'It answered 503.' },
      policy: samplePolicy(isNarrow ? { account } : {}),
    }),
  )

describe('the next callable time of a lead', () => {
  it('a lead is callable at its next callable time, and at no instant before it', () => {
    fc.assert(
      fc.property(
        someInputs,
        near(4),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 20, maxLength: 20 }),
        (inputs, at, places) => {
          const { callable, nextCallableTime: then } = explain(inputs, at)
          expect(then).not.toBeNull()
          if (then === null) return
          expect(then).toBeGreaterThanOrEqual(at)
          expect(explain(inputs, then).callable).toBe(true)
          expect(callable).toBe(then === at)
          if (then === at) return
          const between = [...places.map((place) => at + Math.floor(place * (then - at))), then - 1]
          expect(between.filter((instant) => explain(inputs, instant).callable)).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  it('the next callable time of a lead never moves earlier, and stays the same until it is reached', () => {
    fc.assert(
      fc.property(someInputs, near(4), near(4), (inputs, one, other) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)]
        const [first, second] = [next(inputs, early) ?? 0, next(inputs, late) ?? 0]
        expect(first).toBeLessThanOrEqual(second)
        if (late <= first) expect(second).toBe(first)
      }),
      { numRuns: 300 },
    )
  })

  it.each<[string, Parameters<typeof sampleInputs>[0], number | null]>([
    ['now, when all gates pass', {}, NOON],
    ['now, though no call is due', { lead: { next_call_time: null } }, NOON],
    ['now, though another call is due later', { lead: { next_call_time: NOON + DAY } }, NOON],
    ['now, though the phone is busy', { phone: { ...phone, current_call: '9-1' } }, NOON],
    ['now, though all lines are busy', { lines: { ...lines, calls: new Set(['1-1', '2-1']) } }, NOON],
    ['when calling may start', { lead: { call_schedule_start_time: NOON + HOUR } }, NOON + HOUR],
    ['when the agent is asked again', { breaker: { ...TRUSTED, open_until: NOON + MINUTE } }, NOON + MINUTE],
    [
      'on Monday: the start lies in the night of a Saturday',
      { lead: { us_state: 'AL', call_schedule_start_time: NOON + 1.5 * DAY } },
      NOON + 3 * DAY - 3 * HOUR,
    ],
    ['none while the status forbids it', { lead: { status: 'LOST' } }, null],
    ['none while the user has paused', { lines: { ...lines, paused: true } }, null],
    ['none while a stop stands', { phone: { ...phone, call_dnc: true } }, null],
    ['none for a litigator', { isLitigator: true }, null],
    ['none without a lead type', { leadType: undefined }, null],
    ['none without consent', { leadType: sampleLeadType({ consent_field: 'proof' }) }, null],
    ['none beyond the cadence', { lead: { round_attempts: 8 } }, null],
    ['none in an emergency', { lead: { us_state: 'NY' }, policy: samplePolicy({ emergencies: new Set(['NY']) }) }, null],
    ['none without any line', { owner: { ...sampleInputs().owner, lines: 0 } }, null],
    ['none where a stop stands beside what time heals', { lead: { call_dnc: true, call_schedule_start_time: NOON + HOUR } }, null],
  ])('the next callable time of a lead is %s', (_, changes, expected) => {
    expect(next(sampleInputs(changes))).toBe(expected)
  })
})

describe('an explanation at another time', () => {
  const inputs = sampleInputs({
    lead: { us_state: 'FL' },
    phone: { ...phone, attempts: [NOON - 3 * HOUR, NOON - 2 * HOUR, NOON - HOUR] },
  })

  it('an explanation at another time counts the attempts in the 24 hours before that time', () => {
    expect(explain(inputs, NOON).callable).toBe(false)
    expect(explain(inputs, NOON - 2.5 * HOUR).callable).toBe(true)
    expect(explain(inputs, NOON - HOUR).callable).toBe(false)
    expect(explain(inputs, NOON + DAY).callable).toBe(true)
    expect(next(inputs)).toBe(NOON - 3 * HOUR + DAY)
  })

  it('an explanation at another time changes only the clock', () => {
    const paused = sampleInputs({ lines: { ...lines, paused: true }, lead: { next_call_time: NOON } })
    const gates = Object.fromEntries(explain(paused, NOON - HOUR).verdicts.map(({ gate, passed }) => [gate, passed]))
    expect(gates).toMatchObject({ paused: false, due: false, window: true })
  })
})

describe('the shown explanation', () => {
  it('the shown explanation formats every instant, and shows null beyond the year 9999', () => {
    const inputs = sampleInputs({ lead: { call_schedule_start_time: NOON + HOUR } })
    const location = { state: null, zip: null, source: null, timezones: ['America/New_York'], timezoneSource: 'timezone' as const }
    const rest = { jurisdictions: [], presumed: null, isKnown: true, remarks: [] }
    const shown = representExplanation(7, { ...location, ...rest }, explain(inputs, NOON), [], [])
    expect(shown).toMatchObject({
      at: '2026-11-20T16:00:00.000000+00:00',
      callable: false,
      next_callable_time: '2026-11-20T17:00:00.000000+00:00',
      gates: expect.arrayContaining([
        expect.objectContaining({
          gate: 'start_time',
          inputs: { call_schedule_start_time: '2026-11-20T17:00:00.000000+00:00' },
          next_time: '2026-11-20T17:00:00.000000+00:00',
        }),
      ]),
    })
    expect(JSON.stringify(shown)).not.toMatch(/\d{13}/)
    const last = representExplanation(7, { ...location, ...rest }, explain(inputs, Date.parse('9999-12-31T23:59:59Z')), [], [])
    expect(last).toMatchObject({ at: '9999-12-31T23:59:59.000000+00:00', next_callable_time: '9999-12-31T23:59:59.000000+00:00' })
    const night = representExplanation(7, { ...location, ...rest }, explain(inputs, Date.parse('9999-12-31T12:59:59Z') + 15 * HOUR), [], [])
    expect(night).toMatchObject({ next_callable_time: null })
  })
})
