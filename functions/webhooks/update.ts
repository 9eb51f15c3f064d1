import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { UpdateSubscription } from '#shared/webhooks/api/update-subscription.ts'
import { updateSubscription } from '#shared/webhooks/subscribe/update-subscription.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getSubscription, body: UpdateSubscription }, async ({ found, body }) =>
  ok(representSubscription(await updateSubscription(found, body, now()))),
)
