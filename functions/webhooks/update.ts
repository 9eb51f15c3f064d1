import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { now } from '#shared/platform/clock.ts'
import { representSubscription } from '#shared/webhooks/api/subscription.ts'
import { UpdateSubscription } from '#shared/webhooks/api/update-subscription.ts'
import { unknownFilterFields } from '#shared/webhooks/rules/filter/unknown-fields.ts'
import { updateSubscription } from '#shared/webhooks/subscribe/update-subscription.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getSubscription, body: UpdateSubscription }, async ({ found, body }) =>
  withWarnings(ok(representSubscription(await updateSubscription(found, body, now()))), unknownFilterFields(body.filter_condition ?? '')),
)
