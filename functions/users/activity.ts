import { getUser } from '#shared/accounts/user-store.ts'
import { representActivity } from '#shared/calling/api/activity.ts'
import { activityOf } from '#shared/calling/explain/activity.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'

export const handler = api({ auth: 'token' }, async ({ user: { id } }) => {
  const user = await getUser(id)
  if (!user) throw notFound()
  return ok(representActivity(user, await activityOf(user)))
})
