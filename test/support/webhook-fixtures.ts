import type { SQSEvent } from 'aws-lambda'
import type { Call } from '#shared/calling/call.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import type { Lead } from '#shared/leads/lead.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { NOON, sampleCall, sampleLead } from './samples.ts'

export const NOW = NOON
export const OWNER = 7
export const SECRETS = [
  `whsec_${Buffer.from('the newer secret').toString('base64')}`,
  `whsec_${Buffer.from('the older secret').toString('base64')}`,
]

export const aLead = (fields: Partial<Lead> = {}): Lead =>
  sampleLead({
    id: 1001,
    owner: OWNER,
    metadata: { us_state: 'NY' },
    external_id: 'ä/1',
    next_call_time: null,
    next_call_time_reason: null,
    due_list: null,
    ...fields,
  })

/** A completed call. */
export const aCall = (fields: Partial<Call> = {}): Call =>
  sampleCall({
    call_id: '1001-1',
    lead: 1001,
    owner: OWNER,
    accepted_time: NOW + 1_000,
    provider_call_id: 'p-1',
    answered_time: NOW + 2_000,
    ended_time: NOW + 60_000,
    completed_time: NOW + 61_000,
    reported_outcome: 'completed',
    outcome: 'COMPLETED',
    is_contact: true,
    summary: 'A talk.',
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
  published_time: fields.event_time ?? NOW,
  ...fields,
})

export const aSubscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 42,
  owner: OWNER,
  url: 'https://example.com/hook',
  trigger: ['LEAD_CREATED'],
  method: 'POST',
  filter_condition: '',
  headers: null,
  enabled: true,
  disabled_reason: null,
  disabled_time: null,
  enabled_time: null,
  failing_since: null,
  daily_failures: null,
  slow_since: null,
  first_url: null,
  url_since: null,
  created_time: NOW,
  ...fields,
})

/** A queue's batch, with message ids `m0`, `m1`, … */
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
