import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import { callingTimes } from '#shared/calling/rules/dial/calling-times.ts'
import { explain } from '#shared/calling/rules/dial/explain.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, samplePolicy } from '#test/support/samples.ts'

const { phone } = sampleInputs()

/** Between them are Thanksgiving and changes of clocks of some zones. */
const someInputs = fc
  .record({
    now: fc.integer({ min: 0, max: 365 }).map((days) => NOON + days * DAY),
    us_state: fc.constantFrom(null, 'FL', 'AL', 'TX', 'PA', 'NY', 'NE', 'UT'),
    timezone: fc.constantFrom('America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu', undefined),
    start: fc.option(fc.integer({ min: -DAY, max: 9 * DAY })),
    attempts: fc.array(fc.integer({ min: 0, max: DAY }), { maxLength: 6 }),
    pause: fc.integer({ min: -HOUR, max: 30 * HOUR }),
    isCancelled: fc.boolean(),
  })
  .map(({ now, us_state, timezone, start, attempts, pause, isCancelled }) =>
    sampleInputs({
      now,
      lead: {
        us_state,
        metadata: timezone === undefined ? {} : { timezone },
        call_schedule_start_time: start === null ? null : now + start,
        status: isCancelled ? 'CANCELLED' : 'OPEN',
      },
      phone: { ...phone, attempts: attempts.map((ago) => now - ago) },
      breaker: { ...TRUSTED, open_until: now + pause, reason: 'It answered 503.' },
      policy: samplePolicy(),
    }),
  )

describe('the calling times of a lead', () => {
  it('the calling times of a lead hold exactly the instants at which its gates of time pass', () => {
    const offsets = fc.array(fc.integer({ min: 0, max: 14 * DAY - 1 }), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(someInputs, offsets, (inputs, distances) => {
        const { now } = inputs
        const { times } = callingTimes(inputs, now, now + 14 * DAY)
        const open = { ...inputs, lead: { ...inputs.lead, status: 'OPEN' as const } }
        const edges = times.flatMap(({ from, until }) => [from - 1, from, until - 1, until])
        const instants = [...distances.map((distance) => now + distance), ...edges].filter((at) => at >= now && at < now + 14 * DAY)
        for (const at of instants) {
          const isInside = times.some(({ from, until }) => from <= at && at < until)
          expect({ at, isInside }).toEqual({ at, isInside: explain(open, at).callable })
        }
      }),
      { numRuns: 150 },
    )
  })

  it('the calling times of a lead come in order and do not touch', () => {
    fc.assert(
      fc.property(someInputs, (inputs) => {
        const { times } = callingTimes(inputs, inputs.now, inputs.now + 14 * DAY)
        const edges = times.flatMap(({ from, until }) => [from, until])
        expect(edges).toEqual([...new Set(edges)].toSorted((one, other) => one - other))
      }),
      { numRuns: 50 },
    )
  })

  it('the calling times of a New York lead last from 8:00 until the last minute before 21:00', () => {
    const inputs = sampleInputs()
    expect(callingTimes(inputs, NOON, NOON + DAY)).toEqual({
      times: [
        { from: NOON, until: Date.parse('2026-11-20T20:59:00-05:00') },
        { from: Date.parse('2026-11-21T08:00:00-05:00'), until: NOON + DAY },
      ],
      blockedBy: undefined,
    })
  })

  it('the calling times of a cancelled lead name the gate that refuses whatever the time is', () => {
    const { times, blockedBy } = callingTimes(sampleInputs({ lead: { status: 'CANCELLED' } }), NOON, NOON + HOUR)
    expect(times).toEqual([{ from: NOON, until: NOON + HOUR }])
    expect(blockedBy).toMatchObject({ gate: 'status', detail: 'Leads in status CANCELLED are not called.' })
  })

  it('a lead whose time zone nobody knows has no calling times', () => {
    const abroad = sampleInputs({ lead: { phone_number: '+442071838750', us_state: null, metadata: {} } })
    expect(callingTimes(abroad, NOON, NOON + DAY).times).toEqual([])
  })

  it('a lead that starts later has no calling time before its start', () => {
    const start = NOON + 20 * MINUTE
    const { times } = callingTimes(sampleInputs({ lead: { call_schedule_start_time: start } }), NOON, NOON + HOUR)
    expect(times).toEqual([{ from: start, until: NOON + HOUR }])
  })
})
