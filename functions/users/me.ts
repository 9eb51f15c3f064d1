import { getUser } from '#shared/accounts/user-store.ts'
import { getLines } from '#shared/calling/line-store.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'

export const handler = api({ auth: 'token' }, async ({ user: { id } }) => {
  const [user, { calls, paused, paused_upto }] = await Promise.all([getUser(id), getLines(id)])
  if (!user) throw notFound()
  const { name, is_staff, dnc_group, default_lead_type } = user
  const pause = { paused, paused_existing_leads: paused_upto > 0 }
  return ok({ id, name, is_staff, ...pause, dnc_group, lines: { limit: user.lines, in_use: calls.size }, default_lead_type })
})
