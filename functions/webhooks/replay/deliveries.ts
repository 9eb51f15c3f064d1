import { buildPayload } from '#shared/events/api/payload.ts'
import type { Instant, Trigger } from '#shared/platform/values/values.ts'
import { newDelivery } from '#shared/webhooks/deliveries.ts'
import { fitting } from '#shared/webhooks/rules/fitting.ts'
import { NO_SEQUENCE } from '#shared/webhooks/rules/test-payload.ts'
import type { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import type { Chat } from './chats.ts'

interface Replay {
  /** An id of this replay alone. */
  readonly replay: string | number
  /** When it was asked for: with the id it makes the ids of its deliveries, and is the same when the request is repeated. */
  readonly asked: Instant
  readonly at: Instant
  readonly chats: readonly Chat[]
  readonly triggers: readonly Trigger[]
  readonly subscriptions: readonly Subscription[]
}

const ofChat = ({ replay, asked, at, triggers, subscriptions }: Omit<Replay, 'chats'>, { lead, call }: Chat): Delivery[] =>
  triggers.flatMap((trigger) => {
    const wanted = subscriptions.filter((subscription) => subscription.trigger.includes(trigger))
    if (wanted.length === 0) return []
    const event = {
      ...{ event_id: `replay-${replay}-${lead.id}-${trigger}`, event_time: asked, sequence: NO_SEQUENCE },
      ...{ trigger, owner: lead.owner, lead_id: lead.id, lead, call, call_id: call.call_id },
    }
    const payload = JSON.stringify(buildPayload(event, { lead, call, lastChat: call }))
    return fitting(wanted, payload).map((subscription) => newDelivery(event, subscription, payload, at))
  })

/**
 * A new event of each trigger for each lead, told with its latest completed call, to the subscriptions that want it: one lead's after
 * the other's, as all payloads together may be more than there is room for.
 */
export function* replayedDeliveries({ chats, ...replay }: Replay): Generator<Delivery> {
  for (const chat of chats) yield* ofChat(replay, chat)
}
