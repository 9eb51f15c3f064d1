import * as v from 'valibot'
import { LeadType, User } from '#shared/accounts/configuration.ts'
import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import type { GateInputs } from '#shared/calling/rules/verdict.ts'
import { Source } from '#shared/ingestion/ingestion.ts'
import { Lines, Phone } from '#shared/stops/compliance.ts'
import { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import { samplePayload } from '../../reference/event-samples.ts'
import { after, asCreated, LEAD, OWNER } from '../../reference/sample-lead.ts'

/** The objects in the examples of answers, besides the sample lead and its calls. */

export const campaign = v.parse(LeadType, {
  ...{ id: 4, owner: OWNER, name: 'Home insurance', agent: 'voice', script: 'Offer a quote for home insurance.' },
  lead_metadata_fields: [
    { key: 'interested_in', label: 'Product', helpText: 'What the person asked about.', type: 'string', required: false },
  ],
  transfer: { mode: 'warm', destinations: ['+12125550199'] },
})

export const source = v.parse(Source, {
  ...{ owner: OWNER, name: 'demo', lead_type: campaign.id, mode: 'upsert', lookup_column: 'Lead ID' },
  mapping: [
    { to: 'external_id', from: 'Lead ID' },
    { to: 'phone_number', from: ['Phone', 'Mobile'] },
    { to: 'metadata.first_name', from: 'First Name' },
  ],
})

const owner = v.parse(User, { id: OWNER, name: 'Demo', dnc_group: 'demo', default_lead_type: campaign.id, webhook_secrets: [] })

/** The input of the gates in the night before the lead's first call. */
export const gateInputs: GateInputs = {
  now: after(-7 * 3600),
  lead: asCreated,
  owner,
  leadType: campaign,
  phone: v.parse(Phone, {}),
  phoneHash: '',
  isLitigator: false,
  consent: null,
  registries: [],
  reassigned: [],
  lines: v.parse(Lines, {}),
  seenLines: { group: 0, most: owner.lines, inUse: 0, limit: owner.lines },
  hasAgent: true,
  agentAddress: 'https://agent.example.com/',
  breaker: TRUSTED,
  policy: {
    defaultTimezone: 'America/New_York',
    defaultWindow: [840, 1200],
    account: null,
    emergencies: new Set(),
    placeOfIp: () => undefined,
  },
}

export const user = { ...owner, paused: false, paused_existing_leads: false }

export const subscription = v.parse(Subscription, {
  ...{ id: 42, owner: OWNER, url: 'https://example.com/hook', trigger: ['CALL_COMPLETE', 'LEAD_CLOSED'], method: 'POST' },
  ...{ filter_condition: "last_chat['is_contact'] == true", created_time: after(-86_400) },
})

const payload = samplePayload('CALL_COMPLETE')

/** Delivered by its second attempt. */
export const delivery = v.parse(Delivery, {
  delivery_id: `42-3-${after(66)}-${payload['event_id']}`,
  ...{ subscription: subscription.id, owner: OWNER, event_id: payload['event_id'], trigger: 'CALL_COMPLETE', lead: LEAD },
  payload: JSON.stringify(payload),
  status: 'delivered',
  attempts: [
    { time: after(67), status_code: 503, duration_ms: 210, error: 'The destination answered 503.', response_body: 'Try again later.' },
    { time: after(72), status_code: 204, duration_ms: 38, response_body: '' },
  ],
  ...{ created_time: after(66), expires_at: 0 },
})

/** A new delivery of the same event, which is about to be sent. */
export const pending = v.parse(Delivery, { ...delivery, status: 'pending', attempts: [], next_attempt_time: after(66) })
