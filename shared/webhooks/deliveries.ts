import type { LeadEvent } from '../events/event.ts'
import { setting } from '../platform/environment.ts'
import { deliveryId, deliveryShard } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import type { DeliveryMessage } from '../platform/queues/messages.ts'
import { type Outgoing, send } from '../platform/queues/queues.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { DAY } from '../platform/values/durations.ts'
import { ServiceError } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import { reviveDelivery } from './delivery-store.ts'
import type { Delivery, Subscription } from './webhook.ts'

/** The delivery log shows 30 whole days. */
const KEPT = 31 * DAY

type DeliverableEvent = Pick<LeadEvent, 'event_id' | 'event_time' | 'trigger' | 'owner'> & { readonly lead_id: number | null }

const partsOf = (
  { event_id: eventId, event_time: time, lead_id }: Omit<DeliverableEvent, 'trigger'>,
  { id }: Pick<Subscription, 'id'>,
) => ({
  ...{ subscription: id, shard: deliveryShard(lead_id ?? 0), time, eventId },
  ...(lead_id !== null && { lead: lead_id }),
})

/** The id of an event's delivery to a subscription. It is the same at every repeat of the event. */
const deliveryOf = (event: Omit<DeliverableEvent, 'trigger'>, subscription: Pick<Subscription, 'id'>): string =>
  deliveryId(partsOf(event, subscription))

/** Every id that an event's delivery to a subscription may have: until version 1.0.2, ids did not name the lead. */
export const deliveryIdsOf = (event: Omit<DeliverableEvent, 'trigger'>, subscription: Pick<Subscription, 'id'>): string[] => {
  const { lead: _, ...former } = partsOf(event, subscription)
  return [deliveryOf(event, subscription), deliveryId(former)]
}

/** The delivery of an event to a subscription, due at once. */
export const newDelivery = (event: DeliverableEvent, subscription: Pick<Subscription, 'id'>, payload: string, at: Instant): Delivery => ({
  delivery_id: deliveryOf(event, subscription),
  subscription: subscription.id,
  owner: event.owner,
  event_id: event.event_id,
  trigger: event.trigger,
  lead: event.lead_id,
  payload,
  status: 'pending',
  attempts: [],
  earlier_attempts: 0,
  next_attempt_time: at,
  begun_time: null,
  created_time: at,
  expires_at: expiresAt(at, KEPT),
})

/** @throws ServiceError `conflict` when the subscription is disabled, because its deliveries would wait */
export const checkEnabled = ({ enabled, disabled_reason }: Subscription): void => {
  if (!enabled) throw new ServiceError('conflict', `The subscription is disabled. ${disabled_reason ?? ''}`.trim())
}

type Addressed = Pick<Delivery, 'owner' | 'subscription' | 'delivery_id'>

export const deliveryMessage = ({ owner, subscription, delivery_id }: Addressed): DeliveryMessage => ({ owner, subscription, delivery_id })

/** Messages are grouped by owner, so that one owner with many subscriptions does not slow the others down. */
export const outgoingDelivery = (body: DeliveryMessage, delaySeconds: number): Outgoing => ({ body, group: `${body.owner}`, delaySeconds })

export const sendByFastLane = (messages: readonly DeliveryMessage[], delaySeconds = 0): Promise<void> =>
  send(
    setting('DELIVERY_QUEUE_URL'),
    messages.map(({ waited: _, ...message }) => outgoingDelivery(message, delaySeconds)),
  )

/** The queue for slow destinations, with a consumer of its own. */
export const sendBySlowLane = (messages: readonly DeliveryMessage[], delaySeconds = 0): Promise<void> =>
  send(
    setting('SLOW_DELIVERY_QUEUE_URL'),
    messages.map((message) => outgoingDelivery({ ...message, waited: message.waited ?? 0 }, delaySeconds)),
  )

/**
 * Sends deliveries that are in the due index. If the queue refuses the messages, the sweep sends them later. If a destination is slow, the
 * fast lane hands its deliveries to the slow lane.
 */
export const sendOrLeaveDeliveries = async (deliveries: readonly Addressed[]): Promise<void> => {
  try {
    await sendByFastLane(deliveries.map(deliveryMessage))
  } catch (error) {
    logger.warn('Messages about deliveries could not be sent. The sweep will send them.', { error: loggable(error) })
  }
}

/**
 * Sends the message about a new delivery. The delivery is not in the due index, so the sweep does not send it too.
 * If the queue does not take the message, the delivery is added to the due index.
 */
export const sendFreshDelivery = async (delivery: Delivery, at: Instant): Promise<void> => {
  try {
    await sendByFastLane([{ ...deliveryMessage(delivery), fresh: true }])
  } catch (error) {
    logger.warn('The message about a delivery could not be sent. The sweep will send it.', { error: loggable(error) })
    await reviveDelivery(delivery, at)
  }
}
