import { buildPayload } from '#shared/events/api/payload.ts'
import type { Instant, Trigger } from '#shared/platform/values/values.ts'
import { newDelivery } from '#shared/webhooks/deliveries.ts'
import { fitting } from '#shared/webhooks/rules/fitting.ts'
import { NO_SEQUENCE } from '#shared/webhooks/rules/test-payload.ts'
import type { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import type { Chat } from './chats.ts'

interface Replay {
  /** Unique id of this replay. */
  readonly replay: string | number
  /** When the replay was requested: a repeat has the same time. The ids of the deliveries contain it, together with the replay's id. */
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
 * Makes a new event for each lead and trigger, with the lead's latest completed call, for the subscriptions that match. Works lead by lead,
 * because all payloads together may exceed the memory.
 */
export function* replayedDeliveries({ chats, ...replay }: Replay): Generator<Delivery> {
  for (const chat of chats) yield* ofChat(replay, chat)
}
