import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { firstOpening, PLANNED } from '#shared/calling/rules/dial/explain.ts'
import { NO_NEXT_CALL, nextCall } from '#shared/calling/rules/next-call.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLead, samplePolicy } from '#test/support/samples.ts'

describe('the next call', () => {
  it('a lead has no next call after the year 9999', () => {
    const call_schedule_start_time = Date.parse('9999-12-31T23:59:59Z')
    expect(
      nextCall(sampleLead({ call_schedule_start_time, metadata: { timezone: 'Europe/London' } }), NOON, 'FIRST_CALL', samplePolicy()),
    ).toEqual(NO_NEXT_CALL)
  })

  it('the next call ignores emergencies, because their end is unknown', () => {
    const lead = sampleLead({ us_state: 'NY' })
    const emergency = samplePolicy({ emergencies: new Set(['NY']) })
    expect(nextCall(lead, NOON, 'FIRST_CALL', emergency)).toEqual(nextCall(lead, NOON, 'FIRST_CALL', samplePolicy()))
  })

  it('the next call starts when all gates allow it, including the attempt cap', () => {
    const someAttempts = fc.array(fc.integer({ min: NOON - DAY, max: NOON }), { maxLength: 8 })
    const later = fc.integer({ min: 0, max: 3 * DAY })
    fc.assert(
      fc.property(fc.constantFrom('FL', 'OK', 'WA', 'NY', null), someAttempts, later, (us_state, attempts, distance) => {
        const inputs = sampleInputs({ lead: { us_state } })
        const { at, refusals } = firstOpening({ ...inputs, phone: { ...inputs.phone, attempts } }, NOON + distance, PLANNED)
        const next = nextCall(inputs.lead, NOON + distance, 'CALLBACK', inputs.policy, attempts)
        expect(next).toMatchObject({ next_call_time: at, promised_time: at })
        if (refusals.length === 0) expect(next.next_call_time_reason).toBe('CALLBACK')
        if (refusals.length > 0 && refusals.every(({ gate }) => gate === 'attempt_cap')) {
          expect(next.next_call_time_reason).toBe('ATTEMPT_CAP')
        }
      }),
    )
  })
})
