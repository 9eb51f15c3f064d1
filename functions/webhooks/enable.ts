import { api } from '#shared/http/api.ts'
import { NoFields } from '#shared/http/fields/only-fields.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { enableSubscription, getSubscription } from '#shared/webhooks/subscription-store.ts'

export const handler = api(
  { auth: 'token', params: IdParams, find: getSubscription, body: NoFields, forms: true },
  async ({ user, params }) => {
    const subscription = await enableSubscription(user.id, params.id, now())
    if (!subscription) throw notFound()
    return ok(representSubscription(subscription))
  },
)
