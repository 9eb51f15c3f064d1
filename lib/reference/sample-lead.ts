import * as v from 'valibot'
import { Call } from '#shared/calling/call.ts'
import { Sms } from '#shared/events/sms.ts'
import { Lead } from '#shared/leads/lead.ts'
import { SECOND } from '#shared/platform/values/durations.ts'

/** 11:00 on a Friday in New York. */
const BEGAN = Date.parse('2026-11-20T16:00:00Z')
export const after = (seconds: number): number => BEGAN + seconds * SECOND

export const [OWNER, LEAD] = [7, 51]
const CALL_ID = `${LEAD}-1`

/** A lead and its calls: each constant is one write. */
export const asCreated = v.parse(Lead, {
  ...{ id: LEAD, owner: OWNER, version: 1, position: 1, cause: 'create' },
  ...{ phone_number: '+12125550123', email: 'ann@example.com', external_id: 'A-17', lead_source: 'Partner', us_state: 'NY', lead_type: 4 },
  metadata: { first_name: 'Ann', zip: '10001' },
  ...{ status: 'OPEN', status_reason: 'UNKNOWN', next_call_time: after(5), next_call_time_reason: 'FIRST_CALL', due_list: 'CALL' },
  ...{ created_time: BEGAN, modified_time: BEGAN, received_time: BEGAN },
})

export const change = (lead: Lead, seconds: number, fields: Partial<Lead>): Lead => ({
  ...lead,
  version: lead.version + 1,
  modified_time: after(seconds),
  ...fields,
})

export const NO_CALL = { next_call_time: null, next_call_time_reason: null, due_list: null } as const

export const dialledLead = change(asCreated, 5, { cause: 'dial', ...NO_CALL, attempts: 1, round_attempts: 1, current_call: CALL_ID })

export const collected = change(dialledLead, 40, {
  cause: 'collect',
  told_by: CALL_ID,
  former_place: null,
  metadata: { ...dialledLead.metadata, interested_in: 'home insurance' },
})

/** For the documentation: the sample lead after the outcome of its call, with these fields. */
export const afterOutcome = (fields: Partial<Lead>): Lead =>
  change(collected, 66, { cause: 'outcome', current_call: null, last_chat: CALL_ID, status_reason: 'CHAT', ...fields })

export const transferred = afterOutcome({ status: 'CLOSED', status_detail: 'warm_transfer' })

export const intended = v.parse(Call, {
  ...{ call_id: CALL_ID, lead: LEAD, owner: OWNER, attempt: 1, call_direction: 'outbound', lead_type: 4, agent: 'voice' },
  ...{ phone_number: asCreated.phone_number, phone_key: '', verdicts: {}, intent_time: after(5), not_after: after(35) },
})

export const accepted: Call = { ...intended, accepted_time: after(6), answered_time: after(12), provider_call_id: 'p-1' }

export const transferring: Call = {
  ...accepted,
  transfers_told: [JSON.stringify({ step: 'initiated', told_time: after(50), time: after(50), mode: 'warm', destination: '+12125550199' })],
}

export const ended: Call = { ...transferring, ended_time: after(65), duration_seconds: 53 }

export const completed: Call = {
  ...ended,
  completed_time: after(66),
  settled_time: after(66),
  reported_outcome: 'transferred_warm',
  outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER',
  is_contact: true,
  summary: 'Would like a quote; was put through to a representative.',
}

export const refused: Call = { ...intended, refused_time: after(6), settled_time: after(6), failure: 'The voice agent has answered 422.' }

export const reopened = change(transferred, 3_000_000, {
  ...{ cause: 'reengage', status: 'OPEN', status_detail: null, status_reason: 'REENGAGEMENT', external_id: 'B-4', lead_source: 'Autumn' },
  ...{ reengagements_count: 1, last_reengagement_time: after(3_000_000), received_time: after(3_000_000), round_attempts: 0 },
  ...{ next_call_time: after(3_000_005), next_call_time_reason: 'REENGAGEMENT', due_list: 'CALL' },
})

export const promised = afterOutcome({
  status: 'CALLBACK_TO_TRANSFER',
  next_call_time: after(7_200),
  next_call_time_reason: 'CALLBACK',
  due_list: 'CALL',
})

export const rang = change(asCreated, 1_800, { cause: 'inbound', first_inbound_time: after(1_800), told_by: `${LEAD}-in-1` })
export const inbound: Call = {
  ...accepted,
  call_id: `${LEAD}-in-1`,
  call_direction: 'inbound',
  accepted_time: after(1_800),
  answered_time: after(1_800),
}

export const message = v.parse(Sms, {
  ...{ sms_id: 'm-1', lead: LEAD, owner: OWNER, call_id: CALL_ID, phone_number: asCreated.phone_number },
  ...{ direction: 'inbound', body: 'I am on my way.', status: 'received', time: after(120) },
})

export const stopped = change(asCreated, 60, { cause: 'stop', call_dnc: true, ...NO_CALL })
export const silenced = change(asCreated, 60, { cause: 'stop', sms_dnc: true })
