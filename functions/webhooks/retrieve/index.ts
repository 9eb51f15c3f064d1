import { representSubscription } from '#shared/domain/webhooks/represent-subscription.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getSubscription } from '#shared/storage/subscriptions.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getSubscription }, async ({ found }) =>
  ok(representSubscription(found)),
)
