import { now } from '#shared/adapters/clock.ts'
import { notFound } from '#shared/domain/errors.ts'
import { representSubscription } from '#shared/domain/webhooks/represent-subscription.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { NoFields } from '#shared/schema/fields/only-fields.ts'
import { enableSubscription, getSubscription } from '#shared/storage/subscriptions.ts'

export const handler = api(
  { auth: 'token', params: IdParams, find: getSubscription, body: NoFields, forms: true },
  async ({ user, params }) => {
    const subscription = await enableSubscription(user.id, params.id, now())
    if (!subscription) throw notFound()
    return ok(representSubscription(subscription))
  },
)
