import { now } from '#shared/adapters/clock.ts'
import { invalid } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { sendOrLeaveDeliveries } from '#shared/operations/deliveries.ts'
import { ReplayRecentChat } from '#shared/schema/requests/replay.ts'
import { insertWatchedDeliveries } from '#shared/storage/deliveries.ts'
import { nextId } from '#shared/storage/ids.ts'
import { enabledSubscriptions } from '#shared/storage/subscriptions.ts'
import { recentChats } from './chats.ts'
import { replayedDeliveries } from './deliveries.ts'

/** What can be written while a client waits. */
const MOST_DELIVERIES = 10_000

/** In the table before the answer: what was accepted is delivered, whatever becomes of the messages about it. */
export const handler = api({ auth: 'token', body: ReplayRecentChat, idempotent: { reserve: 1 } }, async ({ user, body, reservedIds }) => {
  const [chats, subscriptions, replay] = await Promise.all([
    recentChats(user.id, body.lead_ids),
    enabledSubscriptions(user.id),
    reservedIds[0] ?? nextId(),
  ])
  const at = now()
  const deliveries = replayedDeliveries({ replay, at, chats, triggers: body.triggers, subscriptions })
  if (deliveries.length > MOST_DELIVERIES) {
    throw invalid({ lead_ids: [`These are ${deliveries.length} deliveries. Replay no more than ${MOST_DELIVERIES} at once.`] })
  }
  await insertWatchedDeliveries(deliveries, at)
  await sendOrLeaveDeliveries(deliveries)
  const told = new Set(chats.map(({ lead }) => lead.id))
  const skipped = body.lead_ids.filter((id) => !told.has(id))
  return { status: 202, body: { queued: told.size, skipped: skipped.length, skipped_lead_ids: skipped } }
})
