import { now } from '#shared/adapters/clock.ts'
import { sealHeaders } from '#shared/adapters/sealed-headers.ts'
import { representSubscription } from '#shared/domain/webhooks/represent-subscription.ts'
import { api } from '#shared/http/api.ts'
import { created } from '#shared/http/reply.ts'
import { CreateSubscription } from '#shared/schema/requests/create-subscription.ts'
import { nextId } from '#shared/storage/ids.ts'
import { saveSubscription } from '#shared/storage/subscriptions.ts'

export const handler = api({ auth: 'token', body: CreateSubscription, idempotent: { reserve: 1 } }, async ({ user, body, reservedIds }) => {
  const { headers: given, ...asked } = body
  const whose = { owner: user.id, id: reservedIds[0] ?? (await nextId()) }
  const headers = given && Object.keys(given).length > 0 ? await sealHeaders(given, whose) : null
  const subscription = { ...asked, ...whose, headers, enabled: true, created_time: now() }
  await saveSubscription(subscription)
  return created(representSubscription(subscription))
})
