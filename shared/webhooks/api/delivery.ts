import * as v from 'valibot'
import { DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { formatInstant, formatOptional } from '../../platform/values/time.ts'
import { Id, TRIGGERS } from '../../platform/values/values.ts'
import { type KnownUrls, urlOfAttempt } from '../rules/noted-url.ts'
import { DELIVERY_STATUSES, type Delivery, type Subscription } from '../webhook.ts'

/** The result of one request to a destination. */
const AttemptResponse = v.strictObject({
  time: DateTime,
  status_code: v.nullable(v.pipe(v.number(), v.integer())),
  duration_ms: v.number(),
  error: v.nullable(v.string()),
  response_body: v.pipe(v.nullable(v.string()), v.description('The first KiB of the answer.')),
  url: v.pipe(v.nullable(v.string()), v.description('The `url` of the subscription at that time. Null if it is not known.')),
})

/** One event on its way to one subscription, as clients see it. */
export const DeliveryResponse = v.strictObject({
  delivery_id: v.string(),
  event_id: v.pipe(v.string(), v.description('The `webhook-id` of every attempt.')),
  trigger: v.picklist(TRIGGERS),
  lead: v.pipe(v.nullable(Id), v.description('Null for a test.')),
  status: v.picklist(DELIVERY_STATUSES),
  attempts: v.array(AttemptResponse),
  next_attempt_time: OptionalDateTime,
})

/** The delivery object of the API. A disabled subscription's pending deliveries are not sent, so they show as disabled. */
export const representDelivery = (
  delivery: Delivery,
  subscription: Pick<Subscription, 'enabled'> & KnownUrls,
): v.InferOutput<typeof DeliveryResponse> => {
  const isHeld = delivery.status === 'pending' && !subscription.enabled
  return {
    delivery_id: delivery.delivery_id,
    event_id: delivery.event_id,
    trigger: delivery.trigger,
    lead: delivery.lead,
    status: isHeld ? 'disabled' : delivery.status,
    attempts: delivery.attempts.map(({ time, ...attempt }) => ({
      time: formatInstant(time),
      ...attempt,
      url: urlOfAttempt(attempt, subscription),
    })),
    next_attempt_time: isHeld ? null : formatOptional(delivery.next_attempt_time),
  }
}
