import { describe, expect, it } from '@jest/globals'
import type { ReportedOutcome } from '#shared/calling/call.ts'
import { afterCall, shownOutcome } from '#shared/calling/rules/finish/after-call.ts'
import { outcomeOf } from '#shared/calling/rules/outcomes.ts'
import { NOON, sampleCall, sampleLeadType, samplePolicy } from '#test/support/samples.ts'
import { completed, dialledLead, leadAfter, MINUTE } from './fixtures/lead-after.ts'

describe('the outcome table', () => {
  it.each<[ReportedOutcome, string, string, string | null, number | null, string | null]>([
    ['transferred_warm', 'COMPLETED_CLOSED_LIVE_TRANSFER', 'CLOSED', 'warm_transfer', null, null],
    ['transferred_blind', 'COMPLETED_CLOSED_LIVE_TRANSFER', 'CLOSED', 'blind_transfer', null, null],
    ['escalated', 'COMPLETED_CLOSED_LIVE_TRANSFER', 'CLOSED', 'escalation', null, null],
    ['transfer_unavailable', 'COMPLETED', 'CALLBACK_TO_TRANSFER', 'live_handoff_unavailable', 30, 'CALLBACK'],
    ['callback_requested', 'COMPLETED', 'CALLBACK_TO_TRANSFER', null, 120, 'CALLBACK'],
    ['appointment_booked', 'COMPLETED_CLOSED_OTHER', 'SCHEDULE_COMPLETED', 'appointment_booked', null, null],
    ['assigned', 'COMPLETED_CLOSED_OTHER', 'CLOSED', 'LEAD_ASSIGNED', null, null],
    ['application_link_sent', 'COMPLETED', 'OPEN', 'application_link_sms', 30, 'NEXT_AVAILABLE_SLOT'],
    ['not_interested', 'COMPLETED_STOP_CALLING', 'LOST', null, null, null],
    ['do_not_call', 'COMPLETED_STOP_CALLING', 'LOST', 'has_call_dnc', null, null],
    ['litigator', 'COMPLETED_STOP_CALLING', 'LOST', 'tcpa_litigator', null, null],
    ['wrong_number', 'COMPLETED_STOP_CALLING', 'BAD_NUMBER', null, null, null],
    ['disconnected', 'DIAL_FAILED', 'BAD_NUMBER', null, null, null],
    ['out_of_territory', 'COMPLETED', 'OUT_OF_TERRITORY', null, null, null],
    ['no_answer', 'DIAL_NO_ANSWER', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['busy', 'DIAL_BUSY', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['failed', 'DIAL_FAILED', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['voicemail', 'WENT_TO_VOICEMAIL', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['call_screened', 'WENT_TO_VOICEMAIL', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['hung_up', 'COMPLETED', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['completed', 'COMPLETED', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
    ['unknown', 'UNKNOWN', 'OPEN', null, 30, 'NEXT_AVAILABLE_SLOT'],
  ])('the outcome table maps %s to %s: %s/%s, next call in %s min, %s', (reported, shown, status, detail, minutes, reason) => {
    const callback_time = NOON + 120 * MINUTE
    expect(leadAfter(completed(reported, { callback_time }))).toMatchObject({
      status,
      status_detail: detail,
      status_reason: 'CHAT',
      next_call_time: minutes === null ? null : NOON + minutes * MINUTE,
      next_call_time_reason: reason,
      due_list: minutes === null ? null : 'CALL',
      current_call: null,
      last_chat: '7-1',
    })
    expect(shownOutcome(reported, false, dialledLead(), sampleLeadType())).toBe(shown)
  })

  it('the outcome table distinguishes a voicemail with a message from one without', () => {
    expect(outcomeOf('voicemail', true).outcome).toBe('LEFT_VOICEMAIL')
  })

  it('the outcome table raises do-not-contact for do_not_call and litigator, not for not_interested', () => {
    expect(outcomeOf('do_not_call').dnc && outcomeOf('litigator').dnc).toBe(true)
    expect(outcomeOf('not_interested').dnc).toBe(false)
  })
})

describe('the cadence', () => {
  it.each([
    [1, 30],
    [2, 120],
    [3, 240],
  ])('the cadence with %s calls made waits %s minutes for the next one', (round_attempts, minutes) => {
    expect(leadAfter(completed('no_answer'), dialledLead({ round_attempts }))?.next_call_time).toBe(NOON + minutes * MINUTE)
  })

  it('the cadence moves a call outside the window to the start of the next window', () => {
    expect(leadAfter(completed('no_answer'), dialledLead({ round_attempts: 5 }))?.next_call_time).toBe(Date.parse('2026-11-21T16:00:00Z'))
    const late = afterCall({
      lead: dialledLead(),
      call: sampleCall(completed('no_answer')),
      leadType: sampleLeadType(),
      now: Date.parse('2026-11-21T01:45:00Z'),
      policy: samplePolicy(),
      attempts: [NOON],
    })
    expect(late?.next_call_time).toBe(Date.parse('2026-11-21T13:00:00Z'))
  })

  it('the cadence can set its own delays for one outcome', () => {
    const leadType = sampleLeadType()
    const busy = { ...leadType, cadence: { ...leadType.cadence, delays_by_outcome: { busy: [60] } } }
    expect(leadAfter(completed('busy'), dialledLead(), busy)?.next_call_time).toBe(NOON + MINUTE)
    expect(leadAfter(completed('no_answer'), dialledLead(), busy)?.next_call_time).toBe(NOON + 30 * MINUTE)
  })

  it('the cadence still calls back after an unavailable transfer on its last step', () => {
    const lead = dialledLead({ round_attempts: 8 })
    expect(leadAfter(completed('transfer_unavailable'), lead)).toMatchObject({
      status: 'CALLBACK_TO_TRANSFER',
      next_call_time: NOON + 30 * MINUTE,
      promised_time: NOON + 30 * MINUTE,
    })
    expect(shownOutcome('transfer_unavailable', false, lead, sampleLeadType())).toBe('COMPLETED')
  })

  it('the cadence closes the lead when a transfer is unavailable after the last step', () => {
    expect(leadAfter(completed('transfer_unavailable'), dialledLead({ round_attempts: 9 }))).toMatchObject({
      status: 'CLOSED_INCOMPLETE',
      next_call_time: null,
    })
  })

  it('the cadence uses its own delay when the callback time is in the past', () => {
    const late = leadAfter(completed('callback_requested', { callback_time: NOON - MINUTE }))
    expect(late?.next_call_time).toBe(NOON + 30 * MINUTE)
  })

  it('the cadence keeps a promised callback even if the lead type is gone', () => {
    const callback_time = NOON + 60 * MINUTE
    const aftermath = { lead: dialledLead(), leadType: undefined, now: NOON, policy: samplePolicy(), attempts: [NOON] }
    const leadOnceReported = (reported: ReportedOutcome) =>
      afterCall({ ...aftermath, call: sampleCall(completed(reported, { callback_time })) })
    expect(leadOnceReported('callback_requested')).toMatchObject({ status: 'CALLBACK_TO_TRANSFER', next_call_time: callback_time })
    expect(leadOnceReported('transfer_unavailable')).toMatchObject({ status: 'CALLBACK_TO_TRANSFER', next_call_time: NOON + 30 * MINUTE })
  })

  it('a cadence that was shortened below the calls made closes the lead after a refused call', () => {
    const leadType = sampleLeadType({ cadence: { ...sampleLeadType().cadence, max_attempts: 2 } })
    const refused = { asked_time: NOON, refused_time: NOON }
    expect(leadAfter(refused, dialledLead({ round_attempts: 4 }), leadType)).toMatchObject({
      status: 'CLOSED_INCOMPLETE',
      next_call_time: null,
    })
    expect(leadAfter(refused, dialledLead({ round_attempts: 2 }), leadType)).toMatchObject({ status: 'OPEN', due_list: 'CALL' })
  })

  it('the cadence ends after its last step', () => {
    const lead = dialledLead({ round_attempts: 8 })
    expect(leadAfter(completed('no_answer'), lead)).toMatchObject({ status: 'CLOSED_INCOMPLETE', next_call_time: null })
    expect(shownOutcome('completed', false, lead, sampleLeadType())).toBe('COMPLETED_LAST_CALL')
    expect(shownOutcome('no_answer', false, lead, sampleLeadType())).toBe('DIAL_NO_ANSWER')
  })
})

describe('a person who hung up', () => {
  const inState = (us_state: string, metadata = {}) => dialledLead({ us_state, metadata })

  it('a person in Nevada who hung up is not called again', () => {
    for (const lead of [inState('NV'), inState('CA', { zip: '89101' })]) {
      expect(leadAfter(completed('hung_up'), lead)).toMatchObject({ status: 'LOST', status_detail: null, next_call_time: null })
    }
    const last = dialledLead({ us_state: 'NV', metadata: {}, round_attempts: 8 })
    expect(leadAfter(completed('hung_up'), last)).toMatchObject({ status: 'LOST' })
  })

  it('a person outside Nevada who hung up is called again, as is one in Nevada whose call ended otherwise', () => {
    expect(leadAfter(completed('hung_up'), inState('NY'))).toMatchObject({ status: 'OPEN', next_call_time: NOON + 30 * MINUTE })
    expect(leadAfter(completed('completed'), inState('NV'))).toMatchObject({ status: 'OPEN' })
  })
})

describe('a promise to call back', () => {
  const atTheEnd = dialledLead({ attempts: 8, round_attempts: 8 })
  const asked = NOON + 120 * MINUTE

  it('a callback is promised even at the last step of the cadence, which ends once the promise is kept', () => {
    const promised = leadAfter(completed('callback_requested', { callback_time: asked }), atTheEnd)
    expect(promised).toMatchObject({ status: 'CALLBACK_TO_TRANSFER', next_call_time: asked, promised_time: asked })
    const kept = dialledLead({ attempts: 9, round_attempts: 9, status: 'CALLBACK_TO_TRANSFER' })
    for (const outcome of ['no_answer', 'completed', 'unknown'] as const) {
      expect(leadAfter(completed(outcome), kept)).toMatchObject({ status: 'CLOSED_INCOMPLETE', next_call_time: null, promised_time: null })
    }
    expect(leadAfter({ unknown_time: NOON }, kept)).toMatchObject({ status: 'CLOSED_INCOMPLETE', next_call_time: null })
  })

  it('a promised callback may be followed by another', () => {
    const kept = dialledLead({ attempts: 9, round_attempts: 9, status: 'CALLBACK_TO_TRANSFER' })
    expect(leadAfter(completed('callback_requested', { callback_time: asked }), kept)).toMatchObject({ promised_time: asked })
  })

  it('a promised callback survives a call that the provider refused, or that was never sent', () => {
    const kept = dialledLead({ attempts: 9, round_attempts: 9, status: 'CALLBACK_TO_TRANSFER' })
    const promise = { promised_time: NOON - MINUTE, refused_time: NOON }
    expect(leadAfter({ ...promise, asked_time: NOON }, kept)).toMatchObject({
      status: 'CALLBACK_TO_TRANSFER',
      next_call_time: NOON + 30 * MINUTE,
      promised_time: NOON - MINUTE,
    })
    const unsent = { ...promise, unsent_time: NOON, due_time: NOON }
    expect(leadAfter(unsent, kept)).toMatchObject({ next_call_time: NOON, promised_time: NOON - MINUTE })
    expect(leadAfter({ refused_time: NOON })).toMatchObject({ promised_time: null })
  })
})

describe('an outcome', () => {
  it('an outcome keeps the status of a lead cancelled meanwhile, and records the latest conversation', () => {
    const cancelled = dialledLead({ status: 'CANCELLED', current_call: null })
    expect(leadAfter(completed('callback_requested'), cancelled)).toEqual({
      ...cancelled,
      last_chat: '7-1',
      cause: 'outcome',
      modified_time: NOON,
    })
  })

  it('an outcome changes nothing when it is repeated', () => {
    const once = leadAfter(completed('no_answer'))
    expect(once && leadAfter(completed('no_answer'), once)).toBeUndefined()
  })
})
