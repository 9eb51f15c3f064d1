import * as v from 'valibot'
import { representLeadType } from '#shared/accounts/api/lead-type.ts'
import { leadTypeHelp } from '#shared/accounts/rules/lead-type-help.ts'
import { callBriefing, callRequest } from '#shared/agents/rules/call-request.ts'
import { representCall } from '#shared/calling/api/call.ts'
import { representCallingTimes } from '#shared/calling/api/calling-times.ts'
import { representExplanation } from '#shared/calling/api/explanation.ts'
import { representPreview } from '#shared/calling/api/preview.ts'
import { representStateHours } from '#shared/calling/api/state-hours.ts'
import { callingTimes } from '#shared/calling/rules/dial/calling-times.ts'
import { explain } from '#shared/calling/rules/dial/explain.ts'
import { orderedCall } from '#shared/calling/rules/dial/ordered-call.ts'
import { disclosuresAt, possiblePlaces } from '#shared/calling/rules/duties/disclosures-at.ts'
import { stateHours } from '#shared/calling/rules/hours/state-hours.ts'
import { previewOf } from '#shared/calling/rules/preview.ts'
import { representConsent } from '#shared/consents/api/consent-response.ts'
import { fieldErrors } from '#shared/http/fields/field.ts'
import { unknownId } from '#shared/http/fields/number.ts'
import { representSource } from '#shared/ingestion/api/source.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { leadWarnings } from '#shared/leads/rules/warnings.ts'
import { locate } from '#shared/location/rules/locate.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { formatInstant, formatOptional } from '#shared/platform/values/time.ts'
import { representUpload } from '#shared/uploads/api/upload.ts'
import { Upload } from '#shared/uploads/upload.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { representNewSubscription, representSubscription } from '#shared/webhooks/api/subscription.ts'
import {
  after,
  asCreated,
  completed,
  dialledLead,
  inbound,
  intended,
  LEAD,
  OWNER,
  rang,
  transferred,
  transferring,
} from '../../reference/sample-lead.ts'
import type { Component } from '../schemas.ts'
import { statisticsExample } from './statistics.ts'
import { campaign, delivery, gateInputs, source, subscription, user } from './world.ts'

const listedUser = {
  ...{ id: user.id, name: user.name, is_staff: user.is_staff },
  ...{ paused: user.paused, paused_existing_leads: user.paused_existing_leads },
}

/** A URL that no service has. */
const BASE = 'https://api.example.com'
const OTHER_LEAD = 52
const TASK = '1b4e28ba-2fa1-4d23-8f5c-883f3d1f2a10'
const UPLOAD = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

const pageOf = (...results: readonly unknown[]) => ({ count: results.length, next: null, previous: null, results })

const lead = representLead(transferred)
const { phone_number, external_id } = lead

const consent = representConsent({
  ...{ sequence: 1, owner: OWNER, phone_number, kind: 'given', type: 'written', lead_id: null },
  ...{ proof_text: null, proof_url: 'https://example.com/proofs/17', seller: null, source: 'Web form', how: null, channels: [] },
  ...{ time: after(-88_200), received_time: after(0), received_by: OWNER },
})

const earlier = {
  ...asCreated,
  id: 50,
  phone_number: '+12125550122',
  email: 'bob@example.com',
  external_id: 'A-16',
  metadata: { zip: '10001' },
}
const call = representCall(completed)

const explanation = () => {
  const { now, policy } = gateInputs
  const warnings = leadWarnings({ ...asCreated, metadata: { ...asCreated.metadata, frist_name: 'Ann' } }, campaign, policy)
  const disclosures = disclosuresAt(possiblePlaces(asCreated, policy), now)
  return representExplanation(LEAD, locate(asCreated, policy), explain(gateInputs, now), disclosures, warnings)
}

const callingTimesOfLead = () => {
  const { now, policy } = gateInputs
  const period = { from: now, until: now + 3 * DAY }
  return representCallingTimes(LEAD, locate(asCreated, policy).timezones, period, callingTimes(gateInputs, period.from, period.until))
}

/** The disclosures that the agent owes in a call to the lead. */
const disclosuresIn = ({ intent_time }: { readonly intent_time: number }) =>
  disclosuresAt(possiblePlaces(asCreated, gateInputs.policy), intent_time)

/** Of the answer about all states, only one state. */
const callingHours = () => {
  const { now, policy } = gateInputs
  return representStateHours(
    now,
    stateHours(policy, now).filter(({ code }) => code === 'TN'),
  )
}

const scheduledCall = () => {
  const { next, detail } = orderedCall(gateInputs, Date.parse('2030-01-15T21:00:00Z'))
  const { next_call_time = null, next_call_time_reason = null } = next ?? {}
  return { id: LEAD, scheduled: true, next_call_time: formatOptional(next_call_time), next_call_time_reason, detail }
}

const uploaded = v.parse(Upload, {
  ...{ upload_id: UPLOAD, owner: OWNER, source: 'demo', filename: 'leads.csv', object_key: '', status: 'done' },
  ...{ rows: 500, created: 470, updated: 18, unchanged: 9, rejected: 3, reengaged: 2 },
  ...{ created_time: after(0), started_time: after(20), finished_time: after(25), expires_at: 0 },
})

const shownUpload = representUpload(uploaded, { at: after(60), reportUrl: 'https://bucket.s3.us-east-1.amazonaws.com/rejected.csv' })

const calls = previewOf([{ time: after(0) }, { time: after(7200) }, { gate: 'dnc' }], after(0))

const checkedUpload = representUpload(
  { ...uploaded, dry_run: true, preview: calls, rows: 3, created: 3, updated: 0, unchanged: 0, rejected: 0, reengaged: 0 },
  { at: after(60), reportUrl: 'https://bucket.s3.us-east-1.amazonaws.com/report.csv' },
)

/** Answers as the service makes them, by the name of their schema. */
export const EXAMPLES = {
  Lead: lead,
  LeadPage: { ...pageOf(lead, representLead(earlier)), count: 120, next: `${BASE}/api/leads/?page=2&page_size=2` },
  BulkCreateResult: {
    results: [
      { id: LEAD, action: 'created', phone_number, external_id },
      { id: 17, action: 'reengaged', phone_number: '+12125550124', external_id: null },
      { id: null, action: 'error', error: `lead_type: ${unknownId(99)} ${leadTypeHelp(99, [campaign])}` },
    ],
  },
  BulkUpdateResult: {
    results: [
      { id: OTHER_LEAD, action: 'queued', task_id: TASK },
      { id: null, action: 'error', error: `id: ${unknownId(99)}` },
    ],
  },
  Explanation: explanation(),
  CallingTimes: callingTimesOfLead(),
  Preview: representPreview(campaign.id, { preview: calls, leads: 3, lookedAt: 3 }),
  CallingHours: callingHours(),
  ScheduledCall: scheduledCall(),
  Call: call,
  CallPage: pageOf(call),
  Task: { task_id: TASK, status: 'applied', error: null, lead: OTHER_LEAD, updated_time: formatInstant(after(1)) },
  SourcePage: pageOf(representSource(source)),
  UploadUrl: { signed_url: 'https://bucket.s3.us-east-1.amazonaws.com/uploads/7/demo/leads.csv?X-Amz-Signature=0123', upload_id: UPLOAD },
  Upload: shownUpload,
  UploadPage: pageOf(checkedUpload, shownUpload),
  LeadType: representLeadType(campaign),
  LeadTypePage: pageOf(representLeadType(campaign)),
  ListedUser: listedUser,
  ListedUserPage: pageOf(listedUser),
  User: {
    ...listedUser,
    ...{ dnc_group: user.dnc_group, lines: { limit: user.lines, in_use: 1 }, default_lead_type: user.default_lead_type },
  },
  Activity: {
    ...{ paused: false, paused_existing_leads: false, lines: { limit: user.lines, in_use: 1 } },
    ...{ calls: [representCall(transferring)], overdue: 0, due_in_next_hour: 1, holds: [] },
    next_leads: [{ lead: OTHER_LEAD, call_time: formatInstant(after(600)), attempt: 1 }],
  },
  AcceptedWork: { status: 'Outbound calls are paused until they are unpaused.' },
  Consent: consent,
  ConsentPage: pageOf(consent),
  DncEntry: { phone_number, call_dnc: true, sms_dnc: true },
  DncLookUp: { phone_number, call_dnc: true, sms_dnc: false, effective: { call_dnc: true, sms_dnc: true } },
  Statistics: statisticsExample,
  NewSubscription: representNewSubscription(subscription),
  Subscription: representSubscription(subscription),
  SubscriptionPage: pageOf(representSubscription(subscription)),
  FilterCheck: { matches: true },
  Deleted: { deleted: 1 },
  RotatedSecret: {
    webhook_secret: 'whsec_ZXhhbXBsZSBzZWNyZXQgb25seSBmb3IgZG9jcw==',
    previous_secret_valid_until: formatInstant(after(86_400)),
  },
  Delivery: representDelivery(delivery, subscription),
  DeliveryPage: pageOf(representDelivery(delivery, subscription)),
  Replay: { queued: 2, skipped: 1, skipped_lead_ids: [52] },
  PlaceCall: callRequest({ call: intended, lead: dialledLead, leadType: campaign, disclosures: disclosuresIn(intended), baseUrl: BASE }),
  PlacedCall: { provider_call_id: 'p-17' },
  CancelCall: { call_id: intended.call_id, reason: 'The person must not be called.' },
  InboundBriefing: callBriefing({ call: inbound, lead: rang, leadType: campaign, disclosures: disclosuresIn(inbound), baseUrl: BASE }),
  Slots: { slots: [{ start_time: '2030-01-17T10:00:00-05:00', end_time: '2030-01-17T10:30:00-05:00', duration_minutes: 30 }] },
  Appointment: {
    appointment: {
      ...{ start_time: '2030-01-17T15:00:00.000000+00:00', duration_minutes: 30, title: 'Consultation', notes: null },
      booking: { id: 'b-17' },
    },
  },
  Accepted: { status: 'accepted', call_dnc: false, sms_dnc: false, lead_status: 'OPEN', cancel: false },
  PlatformEventTaken: { status: 'accepted' },
  ToolAnswered: { ok: false, message: 'The slot is taken. Offer another one.' },
  Healthy: { status: 'ok' },
  ServiceState: {
    queues: [{ queue: 'calls', waiting: 3, in_flight: 2, delayed: 12, dead_letters: 0 }],
    agents_down: [{ agent: 'voice', since: formatInstant(after(30)), until: formatInstant(after(90)), reason: 'It has answered 503.' }],
  },
  Unavailable: { status: 'unavailable' },
  FieldErrors: fieldErrors(v.safeParse(CreateLead, { phone_number: '', email: 'ann' }).issues ?? []),
} as const satisfies Partial<Record<Component, unknown>>
