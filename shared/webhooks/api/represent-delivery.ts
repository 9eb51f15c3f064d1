import { formatInstant, formatOptional } from '../../platform/values/time.ts'
import type { Delivery, Subscription } from '../webhook.ts'

/** The delivery object of the API. A disabled subscription's pending deliveries are not sent, so they show as disabled. */
export const representDelivery = (delivery: Delivery, { enabled }: Pick<Subscription, 'enabled'>) => {
  const isHeld = delivery.status === 'pending' && !enabled
  return {
    delivery_id: delivery.delivery_id,
    event_id: delivery.event_id,
    trigger: delivery.trigger,
    lead: delivery.lead,
    status: isHeld ? 'disabled' : delivery.status,
    attempts: delivery.attempts.map(({ time, ...attempt }) => ({ time: formatInstant(time), ...attempt })),
    next_attempt_time: isHeld ? null : formatOptional(delivery.next_attempt_time),
  }
}
