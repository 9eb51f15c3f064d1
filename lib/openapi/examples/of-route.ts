import * as v from 'valibot'
import { representCall } from '#shared/calling/api/call.ts'
import { representConsent } from '#shared/consents/api/consent-response.ts'
import { dateField, dateTimeField } from '#shared/http/fields/date-time.ts'
import { fieldErrors, fields } from '#shared/http/fields/field.ts'
import { integerField } from '#shared/http/fields/number.ts'
import { PhoneQuery } from '#shared/http/fields/phone.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { forbidden } from '#shared/platform/values/errors.ts'
import { formatInstant } from '#shared/platform/values/time.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { after, asCreated, change, NO_CALL, reopened, transferred, transferring } from '../../reference/sample-lead.ts'
import type { Component } from '../schemas.ts'
import { EXAMPLES } from './examples.ts'
import { pending, subscription } from './world.ts'

const created = representLead(asCreated)
const { external_id, lead_source } = asCreated
const sentAgain = { ...reopened, external_id, lead_source }
const cancelled = representLead(change(asCreated, 3, { status: 'CANCELLED', status_reason: 'MANUAL', ...NO_CALL }))

/** The lead in the example of a provider's own format. */
const ofProvider = (lead: Lead) => representLead({ ...lead, email: 'lee@example.com', metadata: { ...lead.metadata, last_name: 'Lee' } })

const refused = (schema: v.GenericSchema, sent: unknown) => fieldErrors(v.safeParse(schema, sent).issues ?? [])

const notADatetime = refused(fields({ at: dateTimeField() }), { at: 'tomorrow' })
const noCalendar = { detail: 'The calendar answered 500.' }
const isSending = { detail: 'The subscription is disabled. The destination answered 410: it is gone for good.' }

const tooLarge = (what: string) => ({ page_size: [`These ${what} are too large to be sent together. Use a smaller page_size.`] })

const revoked = representConsent({
  ...{ sequence: 2, owner: asCreated.owner, phone_number: asCreated.phone_number, kind: 'revoked', type: null, lead_id: null },
  ...{ proof_text: null, proof_url: null, seller: null, source: null, how: 'Asked by email not to be called again.' },
  ...{ channels: ['call', 'sms'], time: after(3600), received_time: after(3600), received_by: asCreated.owner },
})

/** Examples for one answer of one function, where the one of its schema would be another situation. */
const SPECIAL: Readonly<Record<string, unknown>> = {
  'leads/create 201': created,
  'leads/create 200': representLead(sentAgain),
  'ingest-lead/create 201': ofProvider(asCreated),
  'ingest-lead/create 200': ofProvider(sentAgain),
  'ingest-lead/upsert 201': ofProvider(asCreated),
  'ingest-lead/upsert 200': ofProvider(transferred),
  'leads/update 200': cancelled,
  'leads/list 400': tooLarge('leads'),
  'leads/calls 400': tooLarge('calls'),
  'leads/explain 400': notADatetime,
  'calling-hours/retrieve 400': notADatetime,
  'leads/calling-times 400': refused(fields({ days: integerField({ min: 1, max: 31 }) }), { days: '40' }),
  'statistics/retrieve 400': refused(fields({ from: dateField() }), { from: 'yesterday' }),
  'consents/list 400': tooLarge('consents'),
  'consents/revoke 201': revoked,
  'consents/revoke 200': revoked,
  'dnc/retrieve 400': refused(PhoneQuery, {}),
  'users/pause-calls 403': { detail: forbidden().message },
  'users/unpause-calls 403': { detail: forbidden().message },
  'users/unpause-calls 202': { status: 'Outbound calls are unpaused. Calls that came due during the pause are being rescheduled.' },
  'calls/live 200': representCall({ ...transferring, representative: { id: 12, name: 'Bob' }, external_ids: { external_id: 'A-17' } }),
  'webhooks/update 200': representSubscription({
    ...subscription,
    url: 'https://example.com/hook/v2',
    trigger: ['LEAD_CREATED', 'LEAD_CLOSED'],
  }),
  'webhooks/deliveries 400': tooLarge('deliveries'),
  'webhooks/resend 202': representDelivery(pending, subscription),
  'webhooks/test 202': { ...representDelivery(pending, subscription), lead: null },
  'webhooks/resend 409': isSending,
  'webhooks/test 409': isSending,
  'agents/inbound-calls 409': { detail: 'This provider_call_id belongs to a call of another person.' },
  'agents/calendar-slots 424': noCalendar,
  'agents/calendar-book 424': noCalendar,
  'agents/calendar-book 409': { detail: `This call already has an appointment at ${formatInstant(after(3600))}.` },
  'docs/schema 200': { openapi: '3.1.1', info: { title: 'Lead Outreach Service', version: '1.0.2' }, paths: {} },
}

const BY_SCHEMA: Readonly<Partial<Record<Component, unknown>>> = EXAMPLES

/** An example of a JSON answer. `name`: function of the route. @throws Error when there is none */
export const answerExample = (name: string, status: string, holds: Component | undefined): unknown => {
  const example = SPECIAL[`${name} ${status}`] ?? (holds && BY_SCHEMA[holds])
  if (example === undefined) throw new Error(`The answer ${status} of ${name} has no example: add one to lib/openapi/examples.`)
  return example
}
