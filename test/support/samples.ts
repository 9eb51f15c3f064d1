import type { LeadType } from '#shared/accounts/configuration.ts'
import type { Call } from '#shared/calling/call.ts'
import { EMPTY_CALL } from '#shared/calling/rules/empty-call.ts'
import type { CallingPolicy } from '#shared/calling/rules/policy.ts'
import type { Lead } from '#shared/leads/lead.ts'

/** 11:00 on a Friday in New York. */
export const NOON = Date.parse('2026-11-20T16:00:00Z')

export const samplePolicy = (changes: Partial<CallingPolicy> = {}): CallingPolicy => ({
  defaultTimezone: 'America/New_York',
  defaultWindow: [14 * 60, 20 * 60],
  account: null,
  emergencies: new Set(),
  placeOfIp: () => undefined,
  ...changes,
})

export const sampleLead = (changes: Partial<Lead> = {}): Lead => ({
  id: 7,
  owner: 1,
  version: 1,
  position: 1,
  cause: 'create',
  phone_number: '+12125550001',
  email: null,
  metadata: { timezone: 'America/New_York' },
  status: 'OPEN',
  status_detail: null,
  status_reason: 'UNKNOWN',
  lead_type: 4,
  representative: null,
  external_id: null,
  us_state: null,
  lead_source: '',
  sms_dnc: false,
  call_dnc: false,
  created_time: NOON,
  modified_time: NOON,
  received_time: NOON,
  call_schedule_start_time: null,
  reengagements_count: 0,
  last_reengagement_time: null,
  reengaged_for: null,
  next_call_time: NOON,
  next_call_time_reason: 'FIRST_CALL',
  due_list: 'CALL',
  held_by: null,
  promised_time: null,
  attempts: 0,
  round_attempts: 0,
  refusals: 0,
  field_times: {},
  collected_times: {},
  collected_fields: {},
  current_call: null,
  dialled_time: null,
  told_by: null,
  former_place: null,
  ingested: [],
  first_inbound_time: null,
  last_chat: null,
  ...changes,
})

export const sampleCall = (changes: Partial<Call> = {}): Call => ({
  call_id: '7-1',
  lead: 7,
  owner: 1,
  attempt: 1,
  call_direction: 'outbound',
  phone_number: '+12125550001',
  phone_key: 'PHONE#1#hash',
  lead_type: 4,
  lead_source: '',
  agent: 'simulator',
  verdicts: {},
  intent_time: NOON,
  not_after: NOON + 30_000,
  due_time: null,
  promised_time: null,
  ...EMPTY_CALL,
  ...changes,
})

export const sampleLeadType = (changes: Partial<LeadType> = {}): LeadType => ({
  id: 4,
  owner: 1,
  name: 'Campaign',
  active: true,
  agent: 'simulator',
  international: false,
  script: '',
  consent_field: null,
  calendar: null,
  inbound_numbers: [],
  lead_metadata_fields: [],
  cadence: { delays: [1800, 7200, 14400, 86400], delays_by_outcome: {}, max_attempts: 8, transfer_unavailable_delay: 1800 },
  reengagement: { enabled: true, min_days: 30, match: 'phone_and_email' },
  second_open_lead: 'allow',
  transfer: null,
  escalation: null,
  ...changes,
})
