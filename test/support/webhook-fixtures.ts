import type { SQSEvent } from 'aws-lambda'
import type { Call } from '#shared/schema/call.ts'
import type { LeadEvent } from '#shared/schema/events.ts'
import type { Lead } from '#shared/schema/lead.ts'
import type { Subscription } from '#shared/schema/webhook.ts'

export const NOW = Date.parse('2026-11-20T16:00:00Z')
export const OWNER = 7
export const SECRETS = [
  `whsec_${Buffer.from('the newer secret').toString('base64')}`,
  `whsec_${Buffer.from('the older secret').toString('base64')}`,
]

export const aLead = (fields: Partial<Lead> = {}): Lead => ({
  id: 1001,
  owner: OWNER,
  version: 1,
  position: 1,
  cause: 'create',
  phone_number: '+12125550001',
  email: null,
  metadata: { us_state: 'NY' },
  status: 'OPEN',
  status_detail: null,
  status_reason: 'UNKNOWN',
  lead_type: 3,
  representative: null,
  external_id: 'ä/1',
  us_state: null,
  lead_source: '',
  sms_dnc: false,
  call_dnc: false,
  created_time: NOW,
  modified_time: NOW,
  received_time: NOW,
  call_schedule_start_time: null,
  reengagements_count: 0,
  last_reengagement_time: null,
  next_call_time: null,
  next_call_time_reason: null,
  due_list: null,
  attempts: 0,
  round_attempts: 0,
  current_call: null,
  last_chat: null,
  ...fields,
})

export const aCall = (fields: Partial<Call> = {}): Call => ({
  call_id: '1001-1',
  lead: 1001,
  owner: OWNER,
  attempt: 1,
  call_direction: 'outbound',
  phone_number: '+12125550001',
  phone_key: 'PHONE#g#h',
  lead_type: 3,
  agent: 'agent',
  verdicts: {},
  intent_time: NOW,
  not_after: NOW + 30_000,
  accepted_time: NOW + 1_000,
  provider_call_id: 'p-1',
  answered_time: NOW + 2_000,
  transfer_initiated_time: null,
  transfer_connected_time: null,
  ended_time: NOW + 60_000,
  completed_time: NOW + 61_000,
  refused_time: null,
  unknown_time: null,
  settled_time: null,
  failure: null,
  reported_outcome: 'completed',
  outcome: 'COMPLETED',
  is_contact: true,
  summary: 'A talk.',
  callback_time: null,
  collected: null,
  appointment: null,
  transfer: null,
  representative: null,
  external_ids: null,
  duration_seconds: 58,
  ...fields,
})

export const anEvent = (fields: Partial<LeadEvent> = {}): LeadEvent => ({
  event_id: 'e1.LEAD_CREATED',
  trigger: 'LEAD_CREATED',
  owner: OWNER,
  lead_id: 1001,
  event_time: NOW,
  sequence: '000001',
  lead: null,
  call: null,
  call_id: null,
  ...fields,
})

export const aSubscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 42,
  owner: OWNER,
  url: 'https://example.com/hook',
  trigger: ['LEAD_CREATED'],
  method: 'POST',
  filter_condition: '',
  enabled: true,
  created_time: NOW,
  ...fields,
})

/** A batch of a queue; message ids are `m0`, `m1`, … */
export const batchOf = (bodies: readonly unknown[]): SQSEvent => ({
  Records: bodies.map((body, index) => ({
    messageId: `m${index}`,
    receiptHandle: `r${index}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0', SenderId: 'x', ApproximateFirstReceiveTimestamp: '0' },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:123456789012:queue',
    awsRegion: 'us-east-1',
  })),
})
