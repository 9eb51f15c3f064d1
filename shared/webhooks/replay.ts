import type { Call } from '../calling/call.ts'
import { getCalls } from '../calling/call-store.ts'
import { buildPayload } from '../events/api/payload.ts'
import type { Lead } from '../leads/lead.ts'
import { getLeads } from '../leads/lead-store.ts'
import type { Instant, Trigger } from '../platform/values/values.ts'
import { newDelivery } from './deliveries.ts'
import { fitting } from './rules/filter/filter.ts'
import { NO_SEQUENCE } from './rules/test-payload.ts'
import type { Delivery, Subscription } from './webhook.ts'

/** A lead and its latest completed call. */
interface Chat {
  readonly lead: Lead
  readonly call: Call
}

const MOST_ID = 2 ** 31 - 1

/** The given leads that belong to this owner and have a completed call, in the given order. */
export const recentChats = async (owner: number, ids: readonly number[]): Promise<Chat[]> => {
  const possible = ids.filter((id) => id >= 1 && id <= MOST_ID)
  const leads = await getLeads(possible, { consistent: true })
  const own = possible.flatMap((id) => leads.get(id) ?? []).filter((lead) => lead.owner === owner)
  const calls = await getCalls(own.flatMap(({ last_chat }) => last_chat ?? []))
  return own.flatMap((lead) => {
    const call = calls.get(lead.last_chat ?? '')
    return call && call.completed_time !== null ? [{ lead, call }] : []
  })
}

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
