import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { created } from '#shared/http/reply.ts'
import { createLead } from '#shared/operations/create-lead.ts'
import { CreateLead } from '#shared/schema/requests/create-lead.ts'

export const handler = api({ auth: 'token', body: CreateLead }, async ({ user, body }) =>
  created(representLead(await createLead(user.id, body))),
)
