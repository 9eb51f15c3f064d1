import { notFound } from '#shared/domain/errors.ts'
import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getLead } from '#shared/storage/leads.ts'

export const handler = api({ auth: 'token', params: IdParams }, async ({ user, params }) => {
  const lead = await getLead(params.id)
  if (lead?.owner !== user.id) throw notFound()
  return ok(representLead(lead))
})
