import type { ApiOperation } from './operation.ts'
import { id, paging } from './parameters.ts'
import { tooLarge } from './refusals.ts'

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
