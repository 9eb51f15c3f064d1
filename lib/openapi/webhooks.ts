import type { ApiOperation } from './operation.ts'
import { id, paging } from './parameters.ts'
import { tooLarge } from './refusals.ts'

/** Subscriptions to events, and the secret that signs their webhooks. */
export const webhooks: Readonly<Record<string, ApiOperation>> = {
  'webhooks/create': {
    tag: 'Webhooks',
    description:
      'Placeholders in `url` are filled from the payload, percent-encoded; they may stand anywhere after the host. An address that is not public is refused unless the deployment names it. `headers` go with every request to the destination; they are stored encrypted and never shown. Those of the connection, of the body’s framing and of the signature may not be set. A user has at most 100 subscriptions.',
    body: 'CreateSubscription',
    example: { url: 'https://example.com/hook', trigger: ['LEAD_CREATED', 'CALL_COMPLETE'], headers: { Authorization: 'Bearer 0123' } },
    answers: { 201: { description: 'Subscribed.', holds: 'NewSubscription' } },
  },
  'webhooks/list': {
    tag: 'Webhooks',
    description: 'The newest first.',
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
    description: 'Deliveries that are still to be tried again are given up.',
    path: id('subscription'),
    answers: { 204: { description: 'Deleted.', types: [] } },
  },
  'webhooks/delete-by-url': {
    tag: 'Webhooks',
    description: 'Every subscription whose `url` is exactly this one, placeholders included.',
    body: 'DeleteByUrl',
    example: { url: 'https://example.com/hook' },
    answers: { 200: { description: 'How many there were; there may have been none.', holds: 'Deleted' } },
  },
  'webhooks/enable': {
    tag: 'Webhooks',
    description:
      'Of a subscription that was disabled because its destination answered 410, or did nothing but fail for five days. Events from now on are sent to it again. One that is enabled stays so.',
    path: id('subscription'),
    body: 'NoFields',
    forms: true,
    answers: { 200: { description: 'The subscription, enabled.', holds: 'Subscription' } },
  },
  'webhooks/check-filter': {
    tag: 'Webhooks',
    description:
      'Nothing is sent. Either of `payload`, as a webhook would have it, or of a lead: the payload of `CALL_COMPLETE` for its latest completed call, or of `LEAD_CREATED` when there is none.',
    body: 'CheckFilter',
    example: { filter_condition: "last_chat['is_contact'] == true", payload: { last_chat: { is_contact: true } } },
    answers: { 200: { description: 'Whether the webhook would fire.', holds: 'FilterCheck' } },
    mayMiss: true,
  },
  'users/rotate-webhook-secret': {
    tag: 'Webhooks',
    description:
      'The new secret is told this once. For 24 hours the previous one signs beside it, so that receivers can change over: `webhook-signature` then holds a signature of each. Rotated again meanwhile, only the last two sign, and the older of them for 24 hours from then; to end a secret that has become known at once, rotate twice. Send an `Idempotency-Key`, so that a request whose answer was lost can be repeated.',
    body: 'NoFields',
    forms: true,
    answers: { 200: { description: 'The new secret.', holds: 'RotatedSecret' } },
    mayMiss: true,
  },
}

const deliveryOf = {
  ...id('subscription'),
  delivery_id: { description: 'The `delivery_id` of a delivery on the log.', schema: { type: 'string', minLength: 1 } },
} as const

const DISABLED = {
  description: 'The subscription is disabled; or the request is under way, or comes at the wrong moment.',
  holds: 'Detail',
} as const

/** Deliveries to subscriptions, and requests that send something again. */
export const deliveries: Readonly<Record<string, ApiOperation>> = {
  'webhooks/deliveries': {
    tag: 'Webhooks',
    description: 'Of events of the last 30 days, by days of UTC, the newest first. `disabled`: not sent, for the subscription is.',
    path: id('subscription'),
    query: paging,
    answers: { 200: { description: 'A page of deliveries.', holds: 'DeliveryPage' }, 400: tooLarge },
  },
  'webhooks/resend': {
    tag: 'Webhooks',
    description:
      'The same event under the same `webhook-id`, whatever became of it before: at once, and by the schedule of retries should that fail.',
    path: deliveryOf,
    body: 'NoFields',
    forms: true,
    answers: { 202: { description: 'It is being sent.', holds: 'Delivery' }, 409: DISABLED },
  },
  'webhooks/test': {
    tag: 'Webhooks',
    description:
      'An event of the first of its triggers, about a lead that there is not, with `"test": true` in its payload. It is delivered as any other; the filter is not asked.',
    path: id('subscription'),
    body: 'NoFields',
    forms: true,
    answers: { 202: { description: 'It is being sent.', holds: 'Delivery' }, 409: DISABLED },
  },
  'webhooks/replay': {
    tag: 'Webhooks',
    description:
      'Events of these triggers, with new ids, are told of the latest completed call of each lead to the subscriptions that ask for them and whose filter fits. Nobody is called, and no lead changes. Their `sequence` sorts before that of everything that happened. Deliveries of one replay: at most 10,000, and 20 MB of payloads.',
    body: 'ReplayRecentChat',
    example: { lead_ids: [51, 52], triggers: ['CALL_COMPLETE'] },
    answers: {
      202: { description: 'How many deliveries were queued. Any that the queue did not take follow within minutes.', holds: 'Replay' },
    },
  },
}
