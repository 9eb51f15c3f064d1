import * as v from 'valibot'
import { now } from '#shared/adapters/clock.ts'
import { logger } from '#shared/adapters/logger.ts'
import { consume } from '#shared/adapters/queue-consumer.ts'
import { buildPayload, type EventFacts } from '#shared/domain/events/payload.ts'
import { fitting } from '#shared/domain/webhooks/fitting.ts'
import { deliveryMessage, newDelivery, sendByFastLane, sendBySlowLane } from '#shared/operations/deliveries.ts'
import { LeadEvent } from '#shared/schema/events.ts'
import type { Delivery } from '#shared/schema/webhook.ts'
import { getCall } from '#shared/storage/calls.ts'
import { getDelivery, insertDelivery } from '#shared/storage/deliveries.ts'
import { getLead } from '#shared/storage/leads.ts'
import { enabledSubscriptions } from '#shared/storage/subscriptions.ts'

/** Undefined when the lead is gone. */
const gather = async ({ lead: snapshot, lead_id, call: told, call_id }: LeadEvent): Promise<EventFacts | undefined> => {
  const [lead, call] = await Promise.all([snapshot ?? getLead(lead_id), told ?? (call_id === null ? null : getCall(call_id))])
  if (!lead) return undefined
  const isToldInFull = call?.call_id === lead.last_chat && call?.completed_time !== null
  const lastChat = lead.last_chat === null || isToldInFull ? null : await getCall(lead.last_chat)
  return { lead, call: call ?? null, lastChat: lastChat ?? null }
}

/** Whether a message must be sent: for a new delivery, and for one whose message may have been lost before its first attempt. */
const needsMessage = async (delivery: Delivery): Promise<boolean> => {
  if (await insertDelivery(delivery)) return true
  const known = await getDelivery(delivery.delivery_id)
  return known?.status === 'pending' && known.attempts.length === 0
}

const match = async (event: LeadEvent): Promise<void> => {
  const subscriptions = (await enabledSubscriptions(event.owner)).filter(({ trigger }) => trigger.includes(event.trigger))
  if (subscriptions.length === 0) return
  const facts = await gather(event)
  if (!facts) return logger.warn('The lead of an event is gone: nothing to tell.', { event_id: event.event_id, lead_id: event.lead_id })
  const payload = JSON.stringify(buildPayload(event, facts))
  const deliveries = fitting(subscriptions, payload).map((subscription) => newDelivery(event, subscription, payload, now()))
  const needed = await Promise.all(deliveries.map(needsMessage))
  const isSlow = new Set(subscriptions.filter(({ slow_since }) => slow_since !== null).map(({ id }) => id))
  const messages = deliveries.filter((_, index) => needed[index]).map(deliveryMessage)
  await sendByFastLane(messages.filter(({ subscription }) => !isSlow.has(subscription)))
  await sendBySlowLane(messages.filter(({ subscription }) => isSlow.has(subscription)))
}

/** What the bus puts into the queue. */
const BusEvent = v.object({ detail: LeadEvent })

/** Each event to the subscriptions that ask for it. */
export const handler = consume(BusEvent, ({ detail }) => match(detail))
