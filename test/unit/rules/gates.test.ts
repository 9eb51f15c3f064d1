import { describe, expect, it } from '@jest/globals'
import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import { intendedCall } from '#shared/calling/rules/dial/intent.ts'
import { afterRefusal } from '#shared/calling/rules/dial/refusal.ts'
import { codes, firstRefusal, judge } from '#shared/calling/rules/gates/judge.ts'
import type { GateInputs } from '#shared/calling/rules/verdict.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType, samplePolicy } from '#test/support/samples.ts'

const HOUR = 60 * MINUTE

const { phone, lines } = sampleInputs()

/** Florida bars a fourth attempt within 24 hours. */
const FLORIDA = { us_state: 'FL' }
const hoursAgo = (...hours: readonly number[]) => ({ ...phone, attempts: hours.map((ago) => NOON - ago * HOUR) })
const asksConsent = sampleLeadType({ consent_field: 'proof' })
const cadence = { ...sampleLeadType().cadence, max_attempts: 3 }
const broken = { ...TRUSTED, failures: 5, open_until: NOON + 10 * MINUTE, reason: 'It answered 503.' }

describe('gates', () => {
  it('the gates run in order and let an ordinary lead pass', () => {
    const verdicts = judge(sampleInputs())
    expect(verdicts.map(({ gate }) => gate)).toEqual([
      ...['status', 'paused', 'dnc', 'litigator', 'lead_type', 'consent'],
      ...['start_time', 'due', 'window', 'attempt_cap', 'call_in_progress', 'capacity'],
    ])
    expect(firstRefusal(verdicts)).toBeUndefined()
    expect(codes(verdicts)).toMatchObject({ status: 'OPEN', window: 'INSIDE', capacity: 'LINE_FREE' })
  })

  it.each<[string, GateInputs, string, string, unknown]>([
    ['a closed lead', sampleInputs({ lead: { status: 'CLOSED' } }), 'status', 'CLOSED', { due_list: null }],
    ['a new lead without a type', sampleInputs({ lead: { status: 'NEW' } }), 'status', 'NEW', { due_list: null }],
    [
      'a paused user',
      sampleInputs({ lines: { ...lines, paused: true } }),
      'paused',
      'PAUSED',
      { due_list: 'HELD', held_by: 'pause 1', next_call_time: NOON },
    ],
    [
      'a user who paused the leads that were there',
      sampleInputs({ lead: { position: 7 }, lines: { ...lines, paused_upto: 7 } }),
      'paused',
      'PAUSED',
      { due_list: 'HELD', held_by: 'pause 1', next_call_time: NOON },
    ],
    ['a stop on the lead', sampleInputs({ lead: { call_dnc: true } }), 'dnc', 'CALL_DNC', { next_call_time: null }],
    ['a stop on the phone', sampleInputs({ phone: { ...phone, call_dnc: true } }), 'dnc', 'CALL_DNC', { next_call_time: null }],
    [
      'somebody who sues callers',
      sampleInputs({ isLitigator: true }),
      'litigator',
      'LISTED',
      { due_list: 'HELD', held_by: 'litigator hash', next_call_time: NOON },
    ],
    [
      'no proof of consent',
      sampleInputs({ leadType: asksConsent }),
      'consent',
      'MISSING',
      { due_list: 'HELD', held_by: 'lead-type 4', next_call_time: NOON },
    ],
    [
      'no lead type',
      sampleInputs({ leadType: undefined }),
      'lead_type',
      'NONE',
      { due_list: 'HELD', held_by: 'lead-type 4', next_call_time: NOON },
    ],
    [
      'an inactive lead type',
      sampleInputs({ lead: { next_call_time_reason: 'CAPACITY' }, leadType: sampleLeadType({ active: false }) }),
      'lead_type',
      'INACTIVE',
      { due_list: 'HELD', held_by: 'lead-type 4', next_call_time: NOON, next_call_time_reason: 'NEXT_AVAILABLE_SLOT' },
    ],
    ['an agent that is not there', sampleInputs({ hasAgent: false }), 'lead_type', 'NO_AGENT', { due_list: 'HELD', held_by: 'simulator' }],
    [
      'a foreign number',
      sampleInputs({ lead: { phone_number: '+442071838750' } }),
      'lead_type',
      'INTERNATIONAL',
      { due_list: 'HELD', held_by: 'lead-type 4', next_call_time_reason: 'FIRST_CALL' },
    ],
    [
      'a foreign number nobody knows the hours of',
      sampleInputs({ lead: { phone_number: '+442071838750', metadata: {} }, leadType: sampleLeadType({ international: true }) }),
      'lead_type',
      'NO_TIMEZONE',
      { due_list: 'HELD', held_by: 'lead 7', next_call_time: NOON },
    ],
    [
      'a start time to come',
      sampleInputs({ lead: { call_schedule_start_time: NOON + MINUTE } }),
      'start_time',
      'TOO_EARLY',
      { next_call_time: NOON + MINUTE, due_list: 'CALL' },
    ],
    ['a call to come', sampleInputs({ lead: { next_call_time: NOON + 1 } }), 'due', 'NOT_YET', undefined],
    ['no call', sampleInputs({ lead: { next_call_time: null } }), 'due', 'NO_CALL', undefined],
    [
      'the night',
      sampleInputs({ now: Date.parse('2026-11-21T03:00:00Z') }),
      'window',
      'OUTSIDE',
      { next_call_time: Date.parse('2026-11-21T13:00:00Z'), next_call_time_reason: 'OUTSIDE_WINDOW' },
    ],
    [
      'an emergency',
      sampleInputs({ lead: { us_state: 'NY' }, policy: samplePolicy({ emergencies: new Set(['NY']) }) }),
      'window',
      'OUTSIDE',
      { due_list: 'HELD', held_by: 'emergency NY', next_call_time: NOON },
    ],
    [
      'as many attempts as the cadence has',
      sampleInputs({ lead: { round_attempts: 3 }, leadType: sampleLeadType({ cadence }) }),
      'attempt_cap',
      'LEAD_CAP',
      { next_call_time: null, status: 'CLOSED_INCOMPLETE', status_reason: 'UNKNOWN', modified_time: NOON },
    ],
    [
      'as many attempts as the law allows in a day',
      sampleInputs({ lead: FLORIDA, phone: hoursAgo(23, 2, 5) }),
      'attempt_cap',
      'DAY_CAP',
      { next_call_time: NOON + HOUR, next_call_time_reason: 'ATTEMPT_CAP', due_list: 'CALL' },
    ],
    [
      'more attempts than the law allows in a day',
      sampleInputs({ lead: FLORIDA, phone: hoursAgo(23, 2, 5, 22) }),
      'attempt_cap',
      'DAY_CAP',
      { next_call_time: NOON + 2 * HOUR },
    ],
    ['a phone in a call', sampleInputs({ phone: { ...phone, current_call: '9-1' } }), 'call_in_progress', 'BUSY', { due_list: 'CALL' }],
    [
      'no free line',
      sampleInputs({ lines: { ...lines, calls: new Set(['1-1', '2-1']) } }),
      'capacity',
      'LINES_BUSY',
      { due_list: 'CALL', next_call_time: NOON, next_call_time_reason: 'CAPACITY' },
    ],
    [
      'an agent that does not answer',
      sampleInputs({ breaker: broken }),
      'capacity',
      'AGENT_DOWN',
      { due_list: 'HELD', held_by: 'simulator', next_call_time: NOON, next_call_time_reason: 'CAPACITY' },
    ],
  ])('a gate refuses the call and decides what follows: %s', (_, given, gate, code, next) => {
    const refusal = firstRefusal(judge(given))
    expect(refusal).toMatchObject({ gate, code, passed: false })
    const moved = refusal && afterRefusal(given, refusal)
    if (next === undefined) expect(moved).toBeUndefined()
    else expect(moved).toMatchObject(next as object)
  })

  it('the gates let a foreign number through if it has a time zone and the lead type calls abroad', () => {
    const lead = { phone_number: '+442071838750', metadata: { timezone: 'Europe/London' } }
    expect(firstRefusal(judge(sampleInputs({ lead, leadType: sampleLeadType({ international: true }) })))).toBeUndefined()
  })

  it.each<[string, GateInputs]>([
    [
      'a lead that came after the pause of those that were there',
      sampleInputs({ lead: { position: 8 }, lines: { ...lines, paused_upto: 7 } }),
    ],
    ['a proof of consent', sampleInputs({ lead: { metadata: { timezone: 'America/New_York', proof: 'form 17' } }, leadType: asksConsent })],
    ['fewer attempts than the law allows in a day', sampleInputs({ lead: FLORIDA, phone: hoursAgo(24, 23, 2) })],
    ['many attempts where no law counts them', sampleInputs({ lead: { us_state: 'NY' }, phone: hoursAgo(1, 2, 3, 4, 5, 6) })],
    [
      'a promise, whatever the cadence had left',
      sampleInputs({ lead: { round_attempts: 3, promised_time: NOON }, leadType: sampleLeadType({ cadence }) }),
    ],
    ['an agent that is asked again', sampleInputs({ breaker: { ...broken, open_until: NOON } })],
  ])('the gates let through %s', (_, given) => {
    expect(firstRefusal(judge(given))).toBeUndefined()
  })

  it.each<unknown>([
    ...[undefined, null, '', ' ', false, 'false', 'No', 0, '0', 'null', {}, [], ['yes'], { given: false }, { ip: '192.0.2.1' }],
    ...['N/A', 'na', 'Revoked', 'denied', ' withdrawn', 'not  given', 'unknown', 'No.', 'N/A.', 'declined', 'Refused!', 'opted out'],
    ...['pending', 'Pending review', 'Nein', 'non', 'não', 'unsubscribed', 'Unsubscribe 2026-05-01', 'STOP', 'canceled', 'invalid', 'TBD'],
    ...['opt-out', 'no consent', 'expired', 'undefined', 'NaN', '-', '?', 'revoked 2026-05-01', 'No, thanks', 'not_given'],
    ...['Consent: no', 'did not consent', 'never asked', 'consent revoked', 'NOT-4711'],
    ...['Do not call', 'DNC', "doesn't consent", 'I do not consent', "didn't consent", 'Has not consented', 'optout', 'unchecked'],
    ...['Please do not call', 'please don’t call me', 'You do not have my consent', 'Customer declined', 'The customer revoked'],
    ...['I am not consenting', "Client can't be called", 'Cannot contact', 'must not be called', 'My consent: no', 'Stop calling me'],
    ...['decline', 'Refuse', 'disagree', 'without consent', 'don’t call', 'Nope', 'void', 'disabled', 'The customer did not agree'],
  ])('the gates do not accept %j as proof of consent', (proof) => {
    const given = sampleInputs({ lead: { metadata: { timezone: 'America/New_York', proof } }, leadType: asksConsent })
    expect(firstRefusal(judge(given))).toMatchObject({
      gate: 'consent',
      rule: expect.any(String),
      citation: expect.stringContaining('CFR'),
    })
  })

  it.each([
    ...[
      'I consent, I did not opt out',
      'I did not opt out',
      "Didn't cancel, still agreed",
      'The Lead Factory form of 2026-05-01',
      "Don't hesitate to call me",
      'Void & Sons, 2026-05-01',
      'Refuse Collectors Ltd',
    ],
    ...['Donut Shop', 'Agreed. Do not share my data.', 'Does Inc', 'DNCX-17'],
    ...[true, 1, 'yes', '2026-01-01', '192.0.2.1', 'https://cert.example.com/no-1', 'NOTARY-4711', 'Nolan, 2026-05-01', 'oui', '同意'],
    ...['Stop & Shop form 2026-05-01, box ticked', 'Missing Link LLC web form', 'Pending Home Sales form of 2026-05-01'],
    ...['I agree to be called until I revoke this. This is not a condition.', 'Consented', '00f1c2'],
  ])('the gates accept %j as proof of consent', (proof) => {
    const given = sampleInputs({ lead: { metadata: { timezone: 'America/New_York', proof } }, leadType: asksConsent })
    expect(firstRefusal(judge(given))).toBeUndefined()
  })

  const said = (gate: string, given: GateInputs) => judge(given).find((verdict) => verdict.gate === gate)

  it('the gates name the call in progress only to its owner', () => {
    const busy = { ...phone, current_call: '9-1' }
    expect(said('call_in_progress', sampleInputs({ phone: busy }))).toMatchObject({
      passed: false,
      inputs: { in_progress: true, call: null },
    })
    for (const own of [
      sampleInputs({ phone: busy, lead: { current_call: '9-1' } }),
      sampleInputs({ phone: busy, lines: { ...lines, calls: new Set(['9-1']) } }),
    ])
      expect(said('call_in_progress', own)?.inputs).toEqual({ in_progress: true, call: '9-1' })
  })

  it('the gates let an intended call start within 30 seconds, and only inside the window', () => {
    const names = { callId: '7-1', phonePk: 'p', agent: 'a' }
    expect(intendedCall(sampleInputs(), [], names).not_after).toBe(NOON + 30_000)
    const late = sampleInputs({ now: Date.parse('2026-11-21T01:58:50Z') })
    expect(intendedCall(late, [], names).not_after).toBe(Date.parse('2026-11-21T01:58:59.999Z'))
  })
})
