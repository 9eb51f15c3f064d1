import type { ApiOperation } from './operation.ts'
import { id, paging } from './parameters.ts'
import { tooLarge } from './refusals.ts'

/** Subscriptions to events, and the secret that signs their webhooks. */
export const webhooks: Readonly<Record<string, ApiOperation>> = {
  'webhooks/create': {
    tag: 'Webhooks',
    description:
      'Placeholders in `url` are filled from the payload, percent-encoded. They are allowed anywhere after the host. An address that is not public is refused, unless the deployment allows it. `headers` are sent with every request to the destination. They are stored encrypted and never shown. You cannot set headers of the connection, of the body’s framing or of the signature. A user can have at most 100 subscriptions.',
    body: 'CreateSubscription',
    example: { url: 'https://example.com/hook', trigger: ['LEAD_CREATED', 'CALL_COMPLETE'], headers: { Authorization: 'Bearer 0123' } },
    answers: { 201: { description: 'Subscribed.', holds: 'NewSubscription' } },
  },
  'webhooks/list': {
    tag: 'Webhooks',
    description: 'Newest first.',
    query: paging,
    answers: { 200: { description: 'A page of subscriptions.', holds: 'SubscriptionPage' } },
    mayMiss: true,
  },
  'webhooks/retrieve': {
    tag: 'Webhooks',
    path: id('subscription'),
    answers: { 200: { description: 'The subscription.', holds: 'Subscription' } },
  },
  'webhooks/delete': {
    tag: 'Webhooks',
    description: 'Deliveries that still wait for a retry are dropped.',
    path: id('subscription'),
    answers: { 204: { description: 'Deleted.', types: [] } },
  },
  'webhooks/delete-by-url': {
    tag: 'Webhooks',
    description: 'Deletes every subscription with exactly this `url`, placeholders included.',
    body: 'DeleteByUrl',
    example: { url: 'https://example.com/hook' },
    answers: { 200: { description: 'The number of deleted subscriptions. It may be 0.', holds: 'Deleted' } },
  },
  'webhooks/enable': {
    tag: 'Webhooks',
    description:
      'A subscription is disabled when its destination answers 410, or only fails for five days. After this request it gets new events again. If it is already enabled, nothing changes.',
    path: id('subscription'),
    body: 'NoFields',
    forms: true,
    answers: { 200: { description: 'The subscription, enabled.', holds: 'Subscription' } },
  },
  'webhooks/check-filter': {
    tag: 'Webhooks',
    description:
      'Nothing is sent. Give either a `payload`, in the form of a webhook, or a lead. For a lead, the filter checks the payload of `CALL_COMPLETE` for its latest completed call. Without a completed call, it checks the payload of `LEAD_CREATED`.',
    body: 'CheckFilter',
    example: { filter_condition: "last_chat['is_contact'] == true", payload: { last_chat: { is_contact: true } } },
    answers: { 200: { description: 'Whether the webhook would fire.', holds: 'FilterCheck' } },
    mayMiss: true,
  },
  'users/rotate-webhook-secret': {
    tag: 'Webhooks',
    description:
      'The new secret is shown only once. For 24 hours the previous secret signs too, so that receivers can change over: `webhook-signature` then holds one signature of each. If you rotate again in that time, only the last two secrets sign, and the older one for 24 hours from then. To end a leaked secret at once, rotate twice. Send an `Idempotency-Key`, so that you can repeat the request if its answer is lost.',
    body: 'NoFields',
    forms: true,
    answers: { 200: { description: 'The new secret.', holds: 'RotatedSecret' } },
    mayMiss: true,
  },
}

const deliveryOf = {
  ...id('subscription'),
  delivery_id: { description: 'The `delivery_id` of a delivery in the log.', schema: { type: 'string', minLength: 1 } },
} as const

const DISABLED = {
  description: 'The subscription is disabled, or the same request is in progress, or the delivery cannot be sent again now.',
  holds: 'Detail',
} as const

/** Deliveries to subscriptions, and requests that send something again. */
export const deliveries: Readonly<Record<string, ApiOperation>> = {
  'webhooks/deliveries': {
    tag: 'Webhooks',
    description:
      'Deliveries of events of the last 30 days (in UTC), newest first. `disabled`: not sent, because the subscription is disabled.',
    path: id('subscription'),
    query: paging,
    answers: { 200: { description: 'A page of deliveries.', holds: 'DeliveryPage' }, 400: tooLarge },
  },
  'webhooks/resend': {
    tag: 'Webhooks',
    description:
      'Sends the same event with the same `webhook-id`, whatever its result was before. The first attempt is made at once. If it fails, the usual retries follow.',
    path: deliveryOf,
    body: 'NoFields',
    forms: true,
    answers: { 202: { description: 'The delivery is being sent.', holds: 'Delivery' }, 409: DISABLED },
  },
  'webhooks/test': {
    tag: 'Webhooks',
    description:
      'Sends an event of the first trigger of the subscription, about a lead that does not exist. Its payload has `"test": true`. It is delivered like any other event, but without a check of the filter.',
    path: id('subscription'),
    body: 'NoFields',
    forms: true,
    answers: { 202: { description: 'The delivery is being sent.', holds: 'Delivery' }, 409: DISABLED },
  },
  'webhooks/replay': {
    tag: 'Webhooks',
    description:
      'Sends events of these triggers, with new ids, about the latest completed call of each lead. They go to the subscriptions that have the trigger and whose filter matches. Nobody is called, and no lead changes. Their `sequence` sorts before the `sequence` of all real events. One replay has at most 10,000 deliveries and 20 MB of payloads.',
    body: 'ReplayRecentChat',
    example: { lead_ids: [51, 52], triggers: ['CALL_COMPLETE'] },
    answers: {
      202: {
        description: 'The number of queued deliveries. Deliveries that the queue did not accept follow within minutes.',
        holds: 'Replay',
      },
    },
  },
}
