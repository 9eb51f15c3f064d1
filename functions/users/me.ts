import { isStaff } from '#shared/accounts/requester.ts'
import { getUser } from '#shared/accounts/user-store.ts'
import { getLines, seeAllLines } from '#shared/calling/line-store.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'

export const handler = api({ auth: 'token' }, async ({ user: requester }) => {
  const { id } = requester
  const [user, current] = await Promise.all([getUser(id), getLines(id)])
  if (!user) throw notFound()
  const { name, dnc_group, default_lead_type } = user
  const { paused, paused_upto } = current
  const pause = { paused, paused_existing_leads: paused_upto > 0 }
  const { limit, inUse } = await seeAllLines(user, current)
  return ok({ id, name, is_staff: await isStaff(requester), ...pause, dnc_group, lines: { limit, in_use: inUse }, default_lead_type })
})
