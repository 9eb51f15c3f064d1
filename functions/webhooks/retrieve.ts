import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getSubscription }, async ({ found }) =>
  ok(representSubscription(found)),
)
