import { deliveryFilters, id, paging, retryAfter, tooLarge } from '../openapi/parameters.ts'
import { LONGEST_REQUEST, type Route } from './route.ts'

const deliveryOf = {
  ...id('subscription'),
  delivery_id: { description: 'The `delivery_id` of a delivery in the log.', schema: { type: 'string', minLength: 1 } },
} as const

const DISABLED = {
  description: 'The subscription is disabled, or the same request is in progress, or the delivery cannot be sent again now.',
  holds: 'Detail',
  headers: retryAfter('Only while the same request is in progress. Seconds to wait.'),
} as const

/** Deliveries to subscriptions, and requests that send something again. */
export const deliveryRoutes = [
  {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries/',
    function: 'webhooks/deliveries',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'index:by-owner', 'index:by-due'],
    timeoutSeconds: LONGEST_REQUEST,
    summary: 'List the deliveries of a subscription',
    impact: 'Clients cannot see what was sent to their destinations. Events are still sent.',
    api: {
      tag: 'Webhooks',
      description:
        'Deliveries of events of the last 30 days (in UTC), newest first. `disabled`: not sent, because the subscription is disabled. Follow the links `next` and `previous`. A `count` of 1,000 stands for 1,000 or more. Pages after these have no numbers.',
      path: id('subscription'),
      query: { ...paging, ...deliveryFilters },
      answers: { 200: { description: 'A page of deliveries.', holds: 'DeliveryPage' }, 400: tooLarge },
    },
  },
  {
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{delivery_id}/resend/',
    function: 'webhooks/resend',
    auth: 'token',
    needs: ['table:get', 'table:update', 'deliveries:send'],
    summary: 'Send a delivery again',
    impact: 'Clients cannot resend deliveries that failed for good. Automatic retries continue.',
    api: {
      tag: 'Webhooks',
      description:
        'Sends the same event with the same `webhook-id`, whatever its result was before. The first attempt is made at once. If it fails, the usual retries follow.',
      path: deliveryOf,
      body: 'NoFields',
      forms: true,
      answers: { 202: { description: 'The delivery is being sent.', holds: 'Delivery' }, 409: DISABLED },
    },
  },
  {
    method: 'POST',
    path: '/api/webhooks/{id}/test/',
    function: 'webhooks/test',
    auth: 'token',
    needs: ['table:get', 'table:put', 'table:update', 'deliveries:send'],
    summary: 'Send a test to a subscription',
    impact: 'Clients cannot test their destinations. Events are still delivered.',
    api: {
      tag: 'Webhooks',
      description:
        'Sends an event of the first trigger of the subscription, about a lead that does not exist. Its payload has `"test": true`. It is delivered like any other event, but without a check of the filter.',
      path: id('subscription'),
      body: 'NoFields',
      forms: true,
      answers: { 202: { description: 'The delivery is being sent.', holds: 'Delivery' }, 409: DISABLED },
    },
  },
  {
    method: 'POST',
    path: '/api/agents/webhooks/replay-recent-chat/',
    function: 'webhooks/replay',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:batch-write', 'table:query', 'table:put', 'deliveries:send'],
    timeoutSeconds: LONGEST_REQUEST,
    memoryMb: 1769,
    summary: 'Send webhooks about recent calls again',
    impact: 'Clients cannot resend webhooks about recent calls.',
    api: {
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
  },
] as const satisfies readonly Route[]
