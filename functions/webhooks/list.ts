import { api } from '#shared/http/api.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { subscriptionsOf } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS }, async (request) => {
  const paging = pageOf(request)
  const found = await subscriptionsOf(request.user.id)
  const start = (pageAmong(found.length, paging) - 1) * paging.pageSize
  const results = found.slice(start, start + paging.pageSize).map((subscription) => representSubscription(subscription))
  return ok(envelope({ request, ...paging, count: found.length, results }))
})
