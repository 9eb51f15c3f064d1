import { now } from '#shared/adapters/clock.ts'
import { representSubscription } from '#shared/domain/webhooks/represent-subscription.ts'
import { api } from '#shared/http/api.ts'
import { created } from '#shared/http/reply.ts'
import { CreateSubscription } from '#shared/schema/requests/create-subscription.ts'
import { nextId } from '#shared/storage/ids.ts'
import { saveSubscription } from '#shared/storage/subscriptions.ts'

export const handler = api({ auth: 'token', body: CreateSubscription, idempotent: { reserve: 1 } }, async ({ user, body, reservedIds }) => {
  const { headers: _, ...asked } = body
  const subscription = { ...asked, id: reservedIds[0] ?? (await nextId()), owner: user.id, enabled: true, created_time: now() }
  await saveSubscription(subscription)
  return created(representSubscription(subscription))
})
