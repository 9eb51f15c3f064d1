import { describe, expect, it } from '@jest/globals'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { completed, dialledLead, leadAfter, MINUTE } from './fixtures/lead-after.ts'

describe('a call that did not end', () => {
  it('a refused call does not count in the cadence', () => {
    expect(leadAfter({ asked_time: NOON, refused_time: NOON })).toMatchObject({
      status: 'OPEN',
      round_attempts: 0,
      attempts: 1,
      last_chat: null,
      next_call_time: NOON + 30 * MINUTE,
    })
  })

  it('an unconfirmed call stays the current one, and its outcome still counts, until it is silent', () => {
    const unknown = leadAfter({ unknown_time: NOON })
    expect(unknown).toMatchObject({ current_call: '7-1' })
    expect(unknown && leadAfter({ unknown_time: NOON }, unknown)).toBeUndefined()
    expect(unknown && leadAfter({ unknown_time: NOON, ...completed('not_interested') }, unknown)).toMatchObject({
      status: 'LOST',
      next_call_time: null,
      current_call: null,
    })
    const silent = unknown && leadAfter({ unknown_time: NOON, not_after: NOON - 10 * MINUTE }, unknown)
    expect(silent).toMatchObject({ current_call: null, next_call_time: unknown?.next_call_time })
  })

  it('a call of unknown fate counts in the cadence, which goes on', () => {
    expect(leadAfter({ unknown_time: NOON })).toMatchObject({
      status: 'OPEN',
      round_attempts: 1,
      last_chat: null,
      next_call_time: NOON + 30 * MINUTE,
    })
  })
})

describe('a call that the provider refused', () => {
  const refused = { asked_time: NOON, refused_time: NOON }
  const most = dialledLead({ refusals: 7 })

  it("a call that the provider refused is followed by another until the refusals in a row reach the cadence's length", () => {
    expect(leadAfter(refused)).toMatchObject({ status: 'OPEN', refusals: 1, round_attempts: 0, due_list: 'CALL' })
    expect(leadAfter(refused, most)).toMatchObject({ status: 'CLOSED_INCOMPLETE', status_reason: 'UNKNOWN', refusals: 8, due_list: null })
  })

  it('a call that a failing agent refused does not add to the refusals in a row', () => {
    expect(leadAfter({ ...refused, account_blame: 'BELIEVED' }, most)).toMatchObject({ status: 'OPEN', refusals: 7, due_list: 'CALL' })
  })

  it('a refused call adds to the refusals in a row when it was a probe', () => {
    expect(leadAfter({ ...refused, verdicts: { capacity: 'PROBE' } })).toMatchObject({ refusals: 1, due_list: 'CALL' })
  })

  it('the refusals in a row no longer count once a phone rings or may have rung', () => {
    for (const call of [completed('no_answer'), { unknown_time: NOON }]) expect(leadAfter(call, most)).toMatchObject({ refusals: 0 })
  })

  it('refused calls do not close the lead within five refusals, even if the cadence is shorter', () => {
    const short = sampleLeadType({ cadence: { ...sampleLeadType().cadence, max_attempts: 2 } })
    expect(leadAfter(refused, dialledLead({ refusals: 4 }), short)).toMatchObject({ status: 'OPEN', refusals: 5 })
    expect(leadAfter(refused, dialledLead({ refusals: 5 }), short)).toMatchObject({ status: 'CLOSED_INCOMPLETE' })
  })
})
