import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { createLead } from '#shared/leads/create-lead.ts'
import { warningsOf } from '#shared/leads/lead-warnings.ts'

export const handler = ingestionApi(CreateLead, async ({ owner, input, reservation, isRepeat, isAnonymous }) => {
  const { lead, action, others } = await createLead(owner, input, { reservation, isRepeat })
  const reply = action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
  return withWarnings(reply, await warningsOf(lead, isAnonymous ? [] : others))
})
