import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { createLead } from '#shared/leads/create-lead.ts'

export const handler = ingestionApi(CreateLead, async ({ owner, input, reservation, isRepeat }) => {
  const { lead, action } = await createLead(owner, input, { reservation, isRepeat })
  return action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
})
