import { api } from '#shared/http/api.ts'
import { PAGE_PARAMETERS, pageOfAll } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { FAILING, isStatusAsked } from '#shared/webhooks/api/status-filter.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { subscriptionsOf } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, 'status'] }, async (request) => {
  const isFailing = isStatusAsked(request.query, { listed: FAILING, all: 'subscriptions' })
  const all = await subscriptionsOf(request.user.id)
  const listed = isFailing ? all.filter(({ enabled, failing_since }) => enabled && failing_since !== null) : all
  return ok(await pageOfAll(request, listed, representSubscription))
})
