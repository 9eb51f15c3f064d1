import { randomUUID } from 'node:crypto'
import { api } from '#shared/http/api.ts'
import { inBulkTurn } from '#shared/http/bulk-turn.ts'
import { now } from '#shared/platform/clock.ts'
import { invalid } from '#shared/platform/values/errors.ts'
import { MOST_DELIVERIES, MOST_MEGABYTES, ReplayRecentChat } from '#shared/webhooks/api/replay.ts'
import { sendOrLeaveDeliveries } from '#shared/webhooks/deliveries.ts'
import { insertWatchedDeliveries } from '#shared/webhooks/delivery-store.ts'
import { recentChats, replayedDeliveries } from '#shared/webhooks/replay.ts'
import { enabledSubscriptions } from '#shared/webhooks/subscription-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'

const tooMany = (most: string) =>
  invalid({ lead_ids: [`The replay has more than ${most} deliveries. Replay fewer leads or triggers at once.`] })

/** @throws ServiceError as soon as there are too many */
const collect = (replayed: Iterable<Delivery>): Delivery[] => {
  const deliveries: Delivery[] = []
  let bytes = 0
  for (const delivery of replayed) {
    deliveries.push(delivery)
    bytes += Buffer.byteLength(delivery.payload)
    if (deliveries.length > MOST_DELIVERIES) throw tooMany(`${MOST_DELIVERIES}`)
    if (bytes > MOST_MEGABYTES * 1_000_000) throw tooMany(`${MOST_MEGABYTES} MB of`)
  }
  return deliveries
}

/** Writes the deliveries before it answers: an accepted delivery is made even if its message gets lost. */
export const handler = api({ auth: 'token', body: ReplayRecentChat }, async ({ user, body, reservation, isRepeat, began: asked }) => {
  const enabled = await enabledSubscriptions(user.id)
  const subscriptions = enabled.filter(({ trigger }) => trigger.some((one) => body.triggers.includes(one)))
  // Few leads can make many deliveries.
  const most = body.lead_ids.length * Math.max(1, body.triggers.length * subscriptions.length)
  return inBulkTurn(user.id, most, async () => {
    const chats = await recentChats(user.id, body.lead_ids)
    const replay = reservation(0).name ?? randomUUID()
    const at = now()
    const deliveries = collect(replayedDeliveries({ replay, asked, at, chats, triggers: body.triggers, subscriptions }))
    await insertWatchedDeliveries(deliveries, at, isRepeat)
    await sendOrLeaveDeliveries(deliveries)
    const replayed = new Set(chats.map(({ lead }) => lead.id))
    const skipped = body.lead_ids.filter((id) => !replayed.has(id))
    return { status: 202, body: { queued: deliveries.length, skipped: skipped.length, skipped_lead_ids: skipped } }
  })
})
