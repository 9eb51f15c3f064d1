import { CALL_TRIGGERS } from '#shared/events/api/event-response.ts'
import { TRIGGER_MEANINGS } from '#shared/platform/values/meanings.ts'
import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import { samplePayload } from '../reference/event-samples.ts'
import type { Json } from './operation.ts'
import { signatureHeaderParameters } from './parameters.ts'
import { type Component, refTo } from './schemas.ts'

const ofCalls: readonly Trigger[] = CALL_TRIGGERS

/** Schema of an event's payload. */
export const payloadOf = (trigger: Trigger): Component => {
  if (trigger === 'SMS_COMPLETE') return 'SmsEvent'
  return ofCalls.includes(trigger) ? 'CallEvent' : 'LeadEvent'
}

const DELIVERY = `Sent to the subscriptions that have this trigger and whose filter matches. The request uses the method of the subscription; a
GET has no body. The same event may come more than once, with the same \`webhook-id\`.`

const headers: Readonly<Record<string, { readonly name: string; readonly description: string; readonly schema: Json }>> = {
  WebhookId: { name: 'webhook-id', ...signatureHeaderParameters['webhook-id'] },
  WebhookTimestamp: { name: 'webhook-timestamp', ...signatureHeaderParameters['webhook-timestamp'] },
  WebhookSignature: {
    name: 'webhook-signature',
    description:
      'Signature of Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. The key is the signing secret of the user without `whsec_`, decoded from base64. The operator gives you the first secret; `POST /api/users/me/rotate-webhook-secret/` makes another one. While a secret is being replaced, there are several signatures, separated by spaces.',
    schema: { type: 'string', minLength: 1 },
  },
}

/** The headers of every webhook, by the names that refer to them. */
export const webhookHeaders: Json = Object.fromEntries(
  Object.entries(headers).map(([reference, header]) => [reference, { in: 'header', required: true, ...header }]),
)

/** The possible answers of a destination, by the names that refer to them. */
export const webhookAnswers: Json = {
  Taken: { description: 'Accepted.' },
  Gone: { description: 'The destination is gone for good: the subscription is disabled.' },
  NotTaken: {
    description:
      'Any other answer, or no answer within 15 seconds: the event is sent again up to nine times within three days. Redirects are not followed.',
  },
}

const answer = (name: string): Json => ({ $ref: `#/components/responses/${name}` })

const webhook = (trigger: Trigger): Json => {
  const schema = { allOf: [refTo(payloadOf(trigger)), { type: 'object', properties: { trigger: { const: trigger } } }] }
  return {
    post: {
      tags: ['Events'],
      summary: TRIGGER_MEANINGS[trigger],
      description: DELIVERY,
      parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { required: true, content: { 'application/json': { schema, example: samplePayload(trigger) } } },
      responses: { '2XX': answer('Taken'), 410: answer('Gone'), default: answer('NotTaken') },
    },
  }
}

/** The webhooks of subscriptions, by trigger. */
export const eventWebhooks = (): Json => Object.fromEntries(TRIGGERS.map((trigger) => [trigger, webhook(trigger)]))
