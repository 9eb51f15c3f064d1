import { api } from '#shared/http/api.ts'
import { PAGE_PARAMETERS, pageOfAll } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { subscriptionsOf } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS }, async (request) =>
  ok(await pageOfAll(request, await subscriptionsOf(request.user.id), representSubscription)),
)
