import { representLead } from '#shared/domain/leads/represent.ts'
import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { upsertLead } from '#shared/operations/upsert-lead.ts'
import { LOOKUPS } from '#shared/schema/ingestion.ts'
import { UpsertLead } from '#shared/schema/requests/create-lead.ts'

export const handler = ingestionApi(UpsertLead, async ({ owner, input }) => {
  const { lead, action } = await upsertLead(owner, input, { lookups: LOOKUPS, several: 'newest', mode: 'upsert' })
  return action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
})
