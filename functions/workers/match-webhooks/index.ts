import * as v from 'valibot'
import { now } from '#shared/adapters/clock.ts'
import { setting } from '#shared/adapters/environment.ts'
import { logger } from '#shared/adapters/logger.ts'
import { consume } from '#shared/adapters/queue-consumer.ts'
import { send } from '#shared/adapters/queues.ts'
import { buildPayload, type EventFacts } from '#shared/domain/events/payload.ts'
import { compileFilter } from '#shared/domain/filters/compile.ts'
import { LeadEvent } from '#shared/schema/events.ts'
import type { Delivery, Subscription } from '#shared/schema/webhook.ts'
import { getCall } from '#shared/storage/calls.ts'
import { getDelivery, insertDelivery } from '#shared/storage/deliveries.ts'
import { deliveryId, deliveryShard } from '#shared/storage/keys.ts'
import { getLead } from '#shared/storage/leads.ts'
import { enabledSubscriptions } from '#shared/storage/subscriptions.ts'

const KEPT_SECONDS = 30 * 86_400

/** Undefined when the lead is gone. */
const gather = async ({ lead: snapshot, lead_id, call: told, call_id }: LeadEvent): Promise<EventFacts | undefined> => {
  const [lead, call] = await Promise.all([snapshot ?? getLead(lead_id), told ?? (call_id === null ? null : getCall(call_id))])
  if (!lead) return undefined
  const isToldInFull = call?.call_id === lead.last_chat && call?.completed_time !== null
  const lastChat = lead.last_chat === null || isToldInFull ? null : await getCall(lead.last_chat)
  return { lead, call: call ?? null, lastChat: lastChat ?? null }
}

const begin = (event: LeadEvent, subscription: Subscription, payload: string, at: number): Delivery => ({
  delivery_id: deliveryId({
    subscription: subscription.id,
    shard: deliveryShard(event.lead_id),
    time: event.event_time,
    eventId: event.event_id,
  }),
  subscription: subscription.id,
  owner: event.owner,
  event_id: event.event_id,
  trigger: event.trigger,
  lead: event.lead_id,
  payload,
  status: 'pending',
  attempts: [],
  next_attempt_time: at,
  created_time: at,
  expires_at: Math.floor(at / 1000) + KEPT_SECONDS,
})

/** Whether a message must be sent: for a new delivery, and for one whose message may have been lost before its first attempt. */
const needsMessage = async (delivery: Delivery): Promise<boolean> => {
  if (await insertDelivery(delivery)) return true
  const known = await getDelivery(delivery.delivery_id)
  return known?.status === 'pending' && known.attempts.length === 0
}

/** Judges the payload as whoever receives it would. Without conditions to check, it is left unread. */
const fitting = (subscriptions: readonly Subscription[], payload: string): readonly Subscription[] => {
  if (subscriptions.every(({ filter_condition }) => filter_condition === '')) return subscriptions
  const received: unknown = JSON.parse(payload)
  return subscriptions.filter(({ filter_condition }) => compileFilter(filter_condition).matches(received))
}

const match = async (event: LeadEvent): Promise<void> => {
  const subscriptions = (await enabledSubscriptions(event.owner)).filter(({ trigger }) => trigger.includes(event.trigger))
  if (subscriptions.length === 0) return
  const facts = await gather(event)
  if (!facts) return logger.warn('The lead of an event is gone: nothing to tell.', { event_id: event.event_id, lead_id: event.lead_id })
  const payload = JSON.stringify(buildPayload(event, facts))
  const deliveries = fitting(subscriptions, payload).map((subscription) => begin(event, subscription, payload, now()))
  const needed = await Promise.all(deliveries.map(needsMessage))
  const messages = deliveries
    .filter((_, index) => needed[index])
    .map(({ owner, subscription, delivery_id }) => ({ body: { owner, subscription, delivery_id }, group: String(owner) }))
  await send(setting('DELIVERY_QUEUE_URL'), messages)
}

/** What the bus puts into the queue. */
const BusEvent = v.object({ detail: LeadEvent })

/** Each event to the subscriptions that ask for it. */
export const handler = consume(BusEvent, ({ detail }) => match(detail))
