import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { DeleteByUrl } from '#shared/webhooks/api/delete-by-url.ts'
import { deleteSubscriptionOfUrl, subscriptionsOf } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', body: DeleteByUrl }, async ({ user, body }) => {
  const named = (await subscriptionsOf(user.id)).filter(({ url }) => url === body.url)
  const deleted = await Promise.all(named.map(deleteSubscriptionOfUrl))
  return ok({ deleted: deleted.filter(Boolean).length })
})
