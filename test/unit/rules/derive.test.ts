import { describe, expect, it } from '@jest/globals'
import type { Call } from '#shared/calling/call.ts'
import { callHappenings, leadHappenings, smsHappenings, timerHappenings } from '#shared/events/rules/derive.ts'
import type { Sms } from '#shared/events/sms.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'

const ofLead = (before: Partial<Lead> | undefined, after: Partial<Lead>) =>
  leadHappenings({ before: before && sampleLead(before), after: sampleLead(after) }).map(({ trigger }) => trigger)

const ofCall = (before: Partial<Call> | undefined, after: Partial<Call>) =>
  callHappenings({ before: before && sampleCall(before), after: sampleCall(after) }).map(({ trigger }) => trigger)

describe('a write of a lead', () => {
  it.each<[string, Partial<Lead> | undefined, Partial<Lead>, string[]]>([
    ['a new lead', undefined, {}, ['LEAD_CREATED']],
    ['a new lead that is final already', undefined, { status: 'CLOSED' }, ['LEAD_CREATED', 'LEAD_CLOSED']],
    ['a new lead that is cancelled', undefined, { status: 'CANCELLED' }, ['LEAD_CREATED', 'LEAD_CANCELLED']],
    ['a new lead to be called back', undefined, { status: 'CALLBACK_TO_TRANSFER' }, ['LEAD_CREATED']],
    ['a new lead of no type', undefined, { status: 'NEW' }, ['LEAD_CREATED']],
    ['a new lead with a stop', undefined, { call_dnc: true }, ['LEAD_CREATED']],
    ['a dial', {}, { cause: 'dial', current_call: '7-1' }, ['BEFORE_CALLING']],
    ['data collected', {}, { cause: 'collect' }, ['LEAD_UPDATED']],
    ['the first call of the person', {}, { cause: 'inbound', first_inbound_time: NOON, current_call: '7-1' }, ['LEAD_FIRST_INBOUND']],
    ['a further one', { first_inbound_time: NOON }, { cause: 'inbound', first_inbound_time: NOON, current_call: '7-2' }, []],
    ['an update', {}, { cause: 'update', lead_source: 'x' }, []],
    ['a move to another time', {}, { cause: 'schedule', next_call_time: NOON + 1 }, []],
    ['closed', {}, { cause: 'outcome', status: 'CLOSED' }, ['LEAD_CLOSED']],
    ['closed incomplete', {}, { cause: 'outcome', status: 'CLOSED_INCOMPLETE' }, ['LEAD_CLOSED_INCOMPLETE']],
    ['lost', {}, { cause: 'outcome', status: 'LOST' }, ['LEAD_LOST']],
    ['an appointment', {}, { cause: 'outcome', status: 'SCHEDULE_COMPLETED' }, ['LEAD_SCHEDULE_COMPLETED']],
    ['out of territory', {}, { cause: 'outcome', status: 'OUT_OF_TERRITORY' }, ['LEAD_OUT_OF_TERRITORY']],
    ['a bad number', {}, { cause: 'outcome', status: 'BAD_NUMBER' }, ['LEAD_BAD_NUMBER']],
    ['a callback', {}, { cause: 'outcome', status: 'CALLBACK_TO_TRANSFER' }, ['LEAD_CALLBACK_TO_TRANSFER']],
    ['a cancellation', {}, { cause: 'update', status: 'CANCELLED' }, ['LEAD_CANCELLED']],
    ['still closed', { status: 'CLOSED' }, { cause: 'update', status: 'CLOSED' }, []],
    ['stops on both channels', {}, { cause: 'stop', call_dnc: true, sms_dnc: true }, ['CALL_DNC', 'SMS_DNC']],
    ['stops lifted', { call_dnc: true, sms_dnc: true }, { cause: 'update' }, []],
    [
      'a reengagement',
      { status: 'CLOSED' },
      { cause: 'reengage', reengagements_count: 1 },
      ['LEAD_BEFORE_REENGAGEMENT', 'LEAD_REENGAGEMENT'],
    ],
  ])('a write of a lead triggers the right events: %s', (_, before, after, triggers) => {
    expect(ofLead(before, after)).toEqual(triggers)
  })

  it('a write of a lead names the reporting call in the event, even if another call is current', () => {
    const inbound = {
      before: sampleLead({ current_call: '7-1' }),
      after: sampleLead({ current_call: '7-1', cause: 'inbound', first_inbound_time: NOON, told_by: '7-2' }),
    }
    expect(leadHappenings(inbound)).toMatchObject([{ trigger: 'LEAD_FIRST_INBOUND', call_id: '7-2' }])
    const collected = { before: sampleLead(), after: sampleLead({ cause: 'collect', told_by: '7-1' }) }
    expect(leadHappenings(collected)).toMatchObject([{ trigger: 'LEAD_UPDATED', call_id: '7-1' }])
  })

  it('a write of a lead shows it before the change in events named BEFORE', () => {
    const [calling] = leadHappenings({
      before: sampleLead(),
      after: sampleLead({ cause: 'dial', current_call: '7-1', next_call_time: null }),
    })
    expect(calling).toMatchObject({ trigger: 'BEFORE_CALLING', call_id: '7-1', lead: { next_call_time: NOON } })
  })

  it('the event of a dial has the time of the dial, because the lead keeps its time of modification', () => {
    const dialled = sampleLead({ cause: 'dial', current_call: '7-1', dialled_time: NOON + 1 })
    expect(leadHappenings({ before: sampleLead({}), after: dialled })).toMatchObject([{ trigger: 'BEFORE_CALLING', time: NOON + 1 }])
  })
})

describe('a write of a call', () => {
  it.each<[string, Partial<Call> | undefined, Partial<Call>, string[]]>([
    ['the intent', undefined, {}, []],
    ['accepted', {}, { accepted_time: NOON }, []],
    ['refused', {}, { refused_time: NOON }, ['CALL_FAILED']],
    ['of unknown fate', {}, { unknown_time: NOON }, ['CALL_FAILED']],
    ['settled after a refusal', { refused_time: NOON }, { refused_time: NOON, settled_time: NOON }, []],
    [
      'a transfer',
      {},
      { transfers_told: [JSON.stringify({ step: 'initiated', told_time: NOON, time: NOON })] },
      ['CALL_TRANSFER_INITIATED'],
    ],
    ['ended', {}, { ended_time: NOON }, ['CALL_ENDED']],
    ['completed before its end was told', {}, { completed_time: NOON }, ['CALL_ENDED']],
    ['the end, told after the completion', { completed_time: NOON }, { completed_time: NOON, ended_time: NOON }, []],
    [
      'settled',
      { ended_time: NOON, completed_time: NOON },
      { ended_time: NOON, completed_time: NOON, settled_time: NOON },
      ['CALL_COMPLETE'],
    ],
    [
      'a completion after the silence',
      { unknown_time: NOON, settled_time: NOON },
      { unknown_time: NOON, settled_time: NOON, completed_time: NOON },
      ['CALL_ENDED', 'CALL_COMPLETE'],
    ],
  ])('a write of a call triggers the right events: %s', (_, before, after, triggers) => {
    expect(ofCall(before, after)).toEqual(triggers)
  })
})

describe('a write of a callback timer', () => {
  const timer = { lead: 7, owner: 1, promised_time: NOON, fired_time: null, expires_at: null }
  const fired = { ...timer, fired_time: NOON + 1 }
  it.each([
    ['set', undefined, timer, []],
    ['fired', timer, fired, ['LEAD_LATE_CALLBACK']],
    ['written again', fired, fired, []],
  ])('a write of a callback timer triggers the right events: %s', (_, before, after, triggers) => {
    expect(timerHappenings({ before, after }).map(({ trigger }) => trigger)).toEqual(triggers)
  })
})

it('a text message triggers one event, on its first write', () => {
  const numbers = { sms_id: 's', lead: 7, owner: 1, call_id: '7-1', phone_number: '+12125550001' }
  const after: Sms = { ...numbers, direction: 'inbound', body: 'Hello', status: null, time: NOON }
  expect(smsHappenings({ before: undefined, after })).toEqual([
    { trigger: 'SMS_COMPLETE', time: NOON, lead: null, call: null, call_id: '7-1', sms: after },
  ])
  expect(smsHappenings({ before: after, after })).toEqual([])
})
