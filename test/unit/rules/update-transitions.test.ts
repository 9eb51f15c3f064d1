import { describe, expect, it } from '@jest/globals'
import { leadHappenings } from '#shared/events/rules/derive.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { STATUS_EFFECTS, withStatus } from '#shared/leads/rules/transitions.ts'
import { LEAD_STATUSES, type LeadStatus } from '#shared/platform/values/values.ts'
import { sampleLead } from '#test/support/samples.ts'

const pairs = LEAD_STATUSES.flatMap((from) => LEAD_STATUSES.filter((to) => to !== from).map((to): [LeadStatus, LeadStatus] => [from, to]))

describe('a status set from outside', () => {
  it.each(pairs)('a status set from outside detaches the current call and has the effects of the status: %s to %s', (from, to) => {
    const lead = sampleLead({ status: from, status_detail: 'warm_transfer', current_call: '7-1' })
    const next = withStatus(lead, to, 'WEBHOOK')
    expect(next).toMatchObject({ status: to, status_detail: null, status_reason: 'WEBHOOK', current_call: null })
    expect(next.next_call_time).toBe(STATUS_EFFECTS[to].nextCall === 'removed' ? null : lead.next_call_time)
    expect(leadHappenings({ before: lead, after: { ...next, cause: 'update' } }).map(({ trigger }) => trigger)).toEqual(
      [STATUS_EFFECTS[to].event].filter((event) => event !== null),
    )
  })

  it.each(pairs)('a status set from outside restarts the cadence exactly if it reopens the lead: %s to %s', (from, to) => {
    const { round_attempts, refusals } = withStatus(sampleLead({ status: from, round_attempts: 8, refusals: 3 }), to, 'MANUAL')
    expect([round_attempts, refusals]).toEqual(isCallable(to) && !isCallable(from) ? [0, 0] : [8, 3])
  })

  it.each(LEAD_STATUSES)('a status set from outside changes nothing if the lead is already %s', (status) => {
    const lead = sampleLead({ status, status_detail: 'escalation', current_call: '7-1' })
    expect(withStatus(lead, status, 'MANUAL')).toBe(lead)
  })

  it.each(LEAD_STATUSES)('a status set from outside keeps a next call exactly if it is callable: %s', (status) => {
    expect(STATUS_EFFECTS[status].nextCall).toBe(isCallable(status) ? 'kept' : 'removed')
  })
})
