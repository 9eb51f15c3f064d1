import { representLead } from '#shared/domain/leads/represent.ts'
import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { createLead } from '#shared/operations/create-lead.ts'
import { CreateLead } from '#shared/schema/requests/create-lead.ts'

export const handler = ingestionApi(CreateLead, async ({ owner, input, reservation, isRepeat }) => {
  const { lead, action } = await createLead(owner, input, { reservation, isRepeat })
  return action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
})
