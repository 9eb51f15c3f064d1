import * as v from 'valibot'
import { buildPayload } from '#shared/events/api/payload.ts'
import { DEAD_LETTER_AGE, LeadEvent } from '#shared/events/event.ts'
import { payloadInputsOf } from '#shared/events/payload-inputs.ts'
import { now, realNow } from '#shared/platform/clock.ts'
import { logger } from '#shared/platform/logger.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { consume, RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import type { QueueRecord } from '#shared/platform/queues/queue-records.ts'
import { forOwner } from '#shared/platform/table/busy.ts'
import { newBusyPace } from '#shared/platform/table/busy-pace.ts'
import { deliveryIdsOf, deliveryMessage, newDelivery, sendByFastLane, sendBySlowLane } from '#shared/webhooks/deliveries.ts'
import { getDelivery, insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { LISTENERS_USED_FOR, listenersAfter } from '#shared/webhooks/listeners.ts'
import { fitting } from '#shared/webhooks/rules/filter/filter.ts'
import type { Delivery, Listener } from '#shared/webhooks/webhook.ts'

/** Whether the event may have been handled before: its message returned, or it may have been moved back from the dead letters. */
const mayBeRepeat = ({ event_time }: LeadEvent, { attributes }: QueueRecord): boolean =>
  Number(attributes.ApproximateReceiveCount) > 1 || now() - event_time > DEAD_LETTER_AGE

/** Deliveries that an earlier try wrote, also for subscriptions that no longer match. */
const writtenBefore = async (event: LeadEvent, subscriptions: readonly Listener[]): Promise<readonly Delivery[]> => {
  const found = await Promise.all(subscriptions.flatMap((subscription) => deliveryIdsOf(event, subscription)).map(getDelivery))
  return found.filter((delivery) => delivery !== undefined)
}

/** Paces the writes of deliveries, each of which holds a payload. They give way as the attempts do. */
const takeWriteTurn = newBusyPace({ start: 200, least: 2, most: 1000, kept: 0.5 })

/** The delivery as it was first written: another message about the same event may have written it a moment ago. */
const write = async (delivery: Delivery): Promise<Delivery> =>
  (await insertDelivery(delivery)) ? delivery : ((await getDelivery(delivery.delivery_id)) ?? delivery)

/** Writes the deliveries that get a turn. */
const writeInTurns = async (deliveries: readonly Delivery[]): Promise<readonly Delivery[]> => {
  const giveUpAt = realNow() + LISTENERS_USED_FOR
  const written = await Promise.all(deliveries.map(async (one) => ((await takeWriteTurn(giveUpAt)) ? write(one) : undefined)))
  return written.filter((delivery) => delivery !== undefined)
}

/** New deliveries to the subscriptions whose filter matches. */
const fittingDeliveries = async (
  event: LeadEvent,
  subscriptions: readonly Listener[],
  erased: ReadonlySet<number>,
): Promise<readonly Delivery[]> => {
  if (subscriptions.length === 0) return []
  const inputs = await payloadInputsOf(event, { isErased: erased.has(event.lead_id) })
  if (inputs) {
    const payload = JSON.stringify(buildPayload(event, inputs))
    return fitting(subscriptions, payload).map((subscription) => newDelivery(event, subscription, payload, now()))
  }
  logger.warn('The lead of an event no longer exists: no webhook is sent.', { event_id: event.event_id, lead_id: event.lead_id })
  return []
}

/** Sends the deliveries that were never tried: their messages may have been lost. */
const sendUntried = async (deliveries: readonly Delivery[], subscriptions: readonly Listener[]): Promise<void> => {
  const isSlow = new Set(subscriptions.filter(({ slow_since }) => slow_since !== null).map(({ id }) => id))
  const untried = deliveries.filter(({ status, attempts }) => status === 'pending' && attempts.length === 0)
  const messages = untried.map((delivery): DeliveryMessage => ({ ...deliveryMessage(delivery), fresh: true }))
  await sendByFastLane(messages.filter(({ subscription }) => !isSlow.has(subscription)))
  await sendBySlowLane(messages.filter(({ subscription }) => isSlow.has(subscription)))
}

/** Sends the deliveries of earlier tries before it evaluates anything again: lead and subscriptions may have changed since. */
const match = async (event: LeadEvent, record: QueueRecord, run: object): Promise<void> => {
  const { subscriptions, erased } = await listenersAfter(event, run)
  const before = mayBeRepeat(event, record) ? await writtenBefore(event, subscriptions) : []
  await sendUntried(before, subscriptions)
  const isWritten = new Set(before.map(({ subscription }) => subscription))
  const asking = subscriptions.filter(({ id, enabled, trigger }) => enabled && trigger.includes(event.trigger) && !isWritten.has(id))
  const deliveries = await fittingDeliveries(event, asking, erased)
  const written = await writeInTurns(deliveries)
  await sendUntried(written, asking)
  if (written.length < deliveries.length) throw new RetryMessage('The table is too busy for the deliveries of an event.')
}

/** The message that the bus puts into the queue. */
const BusEvent = v.object({ detail: LeadEvent })

/** Writes and sends each event's deliveries, for the subscriptions that ask for it. */
export const handler: ReturnType<typeof consume> = (batch, context) => {
  // An empty object, and not the batch: the cache keeps its run in memory.
  const run = {}
  return consume(BusEvent, ({ detail }, record) => forOwner(detail.owner, () => match(detail, record, run)))(batch, context)
}
