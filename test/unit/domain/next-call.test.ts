import { describe, expect, it } from '@jest/globals'
import { NO_NEXT_CALL, nextCall } from '#shared/domain/calling/next-call.ts'
import { NOON, sampleLead, samplePolicy } from '#test/support/samples.ts'

describe('the next call', () => {
  it('is none beyond the last instant that can be told', () => {
    const call_schedule_start_time = Date.parse('9999-12-31T23:59:59Z')
    expect(
      nextCall(sampleLead({ call_schedule_start_time, metadata: { timezone: 'Europe/London' } }), NOON, 'FIRST_CALL', samplePolicy()),
    ).toEqual(NO_NEXT_CALL)
  })

  it('is planned as if there were no emergency, for nobody knows when one ends', () => {
    const lead = sampleLead({ us_state: 'NY' })
    const emergency = samplePolicy({ emergencies: new Set(['NY']) })
    expect(nextCall(lead, NOON, 'FIRST_CALL', emergency)).toEqual(nextCall(lead, NOON, 'FIRST_CALL', samplePolicy()))
  })
})
