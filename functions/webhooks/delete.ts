import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { noContent } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import { deleteSubscription } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', params: IdParams }, async ({ user, params }) => {
  if (!(await deleteSubscription(user.id, params.id))) throw notFound()
  return noContent()
})
