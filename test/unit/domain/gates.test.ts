import { describe, expect, it } from '@jest/globals'
import { codes, firstRefusal, judge } from '#shared/domain/calling/gates.ts'
import { intendedCall } from '#shared/domain/calling/intent.ts'
import { afterRefusal } from '#shared/domain/calling/refusal.ts'
import type { Facts } from '#shared/domain/calling/verdict.ts'
import type { Lead } from '#shared/schema/lead.ts'
import { NOON, sampleLead, sampleLeadType } from '#test/support/samples.ts'

const MINUTE = 60_000

const facts = ({ lead, ...changes }: Partial<Omit<Facts, 'lead'>> & { lead?: Partial<Lead> } = {}): Facts => ({
  now: NOON,
  lead: sampleLead(lead),
  owner: { id: 1, name: 'Owner', is_staff: false, default_lead_type: 4, dnc_group: '1', lines: 2, webhook_secrets: [] },
  leadType: sampleLeadType(),
  phone: { call_dnc: false, sms_dnc: false, current_call: null, attempts: [], version: 0 },
  lines: { calls: new Set(), paused: false },
  defaultTimezone: 'America/New_York',
  ...changes,
})

const phone = facts().phone
const lines = facts().lines

describe('gates', () => {
  it('all let an ordinary lead pass, in their order', () => {
    const verdicts = judge(facts())
    expect(verdicts.map(({ gate }) => gate)).toEqual([
      ...['status', 'paused', 'dnc', 'lead_type', 'start_time', 'due', 'window', 'call_in_progress', 'capacity'],
    ])
    expect(firstRefusal(verdicts)).toBeUndefined()
    expect(codes(verdicts)).toMatchObject({ status: 'OPEN', window: 'INSIDE', capacity: 'LINE_FREE' })
  })

  it.each<[string, Facts, string, string, unknown]>([
    ['a closed lead', facts({ lead: { status: 'CLOSED' } }), 'status', 'CLOSED', { due_list: null }],
    ['a new lead without a type', facts({ lead: { status: 'NEW' } }), 'status', 'NEW', { due_list: null }],
    ['a paused user', facts({ lines: { ...lines, paused: true } }), 'paused', 'PAUSED', { due_list: 'PARKED', next_call_time: NOON }],
    ['a stop on the lead', facts({ lead: { call_dnc: true } }), 'dnc', 'CALL_DNC', { next_call_time: null }],
    ['a stop on the phone', facts({ phone: { ...phone, call_dnc: true } }), 'dnc', 'CALL_DNC', { next_call_time: null }],
    ['no lead type', facts({ leadType: undefined }), 'lead_type', 'NONE', { next_call_time: null }],
    ['an inactive lead type', facts({ leadType: sampleLeadType({ active: false }) }), 'lead_type', 'INACTIVE', { next_call_time: null }],
    ['a foreign number', facts({ lead: { phone_number: '+442071838750' } }), 'lead_type', 'INTERNATIONAL', { next_call_time: null }],
    [
      'a foreign number nobody knows the hours of',
      facts({ lead: { phone_number: '+442071838750', metadata: {} }, leadType: sampleLeadType({ international: true }) }),
      'lead_type',
      'NO_TIMEZONE',
      { next_call_time: null },
    ],
    [
      'a start time to come',
      facts({ lead: { call_schedule_start_time: NOON + MINUTE } }),
      'start_time',
      'TOO_EARLY',
      { next_call_time: NOON + MINUTE, due_list: 'CALL' },
    ],
    ['a call to come', facts({ lead: { next_call_time: NOON + 1 } }), 'due', 'NOT_YET', undefined],
    ['no call', facts({ lead: { next_call_time: null } }), 'due', 'NO_CALL', undefined],
    [
      'the night',
      facts({ now: Date.parse('2026-11-21T03:00:00Z') }),
      'window',
      'OUTSIDE',
      { next_call_time: Date.parse('2026-11-21T13:00:00Z'), next_call_time_reason: 'OUTSIDE_WINDOW' },
    ],
    ['a phone in a call', facts({ phone: { ...phone, current_call: '9-1' } }), 'call_in_progress', 'BUSY', { due_list: 'CALL' }],
    [
      'no free line',
      facts({ lines: { ...lines, calls: new Set(['1-1', '2-1']) } }),
      'capacity',
      'LINES_BUSY',
      { due_list: 'WAIT', next_call_time: NOON, next_call_time_reason: 'CAPACITY' },
    ],
  ])('%s', (_, given, gate, code, next) => {
    const refusal = firstRefusal(judge(given))
    expect(refusal).toMatchObject({ gate, code, passed: false })
    const moved = refusal && afterRefusal(given.lead, refusal, given.now, given.defaultTimezone)
    if (next === undefined) expect(moved).toBeUndefined()
    else expect(moved).toMatchObject(next as object)
  })

  it('a foreign number with a zone and a lead type that calls abroad is called', () => {
    const lead = { phone_number: '+442071838750', metadata: { timezone: 'Europe/London' } }
    expect(firstRefusal(judge(facts({ lead, leadType: sampleLeadType({ international: true }) })))).toBeUndefined()
  })

  it('an intent ends with the window, or after half a minute', () => {
    const names = { callId: '7-1', phonePk: 'p', agent: 'a' }
    expect(intendedCall(facts(), [], names).not_after).toBe(NOON + 30_000)
    const late = facts({ now: Date.parse('2026-11-21T01:58:50Z') })
    expect(intendedCall(late, [], names).not_after).toBe(Date.parse('2026-11-21T01:58:59.999Z'))
  })
})
