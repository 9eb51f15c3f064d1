import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { LOOKUPS } from '#shared/ingestion/ingestion.ts'
import { UpsertLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { warningsOf } from '#shared/leads/lead-warnings.ts'
import { upsertLead } from '#shared/leads/upsert-lead.ts'

export const handler = ingestionApi(UpsertLead, async ({ owner, input, isAnonymous }) => {
  const { lead, action, others = [] } = await upsertLead(owner, input, { lookups: LOOKUPS, several: 'newest', mode: 'upsert' })
  const reply = action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
  return withWarnings(reply, await warningsOf(lead, isAnonymous ? [] : others))
})
