import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { LOOKUPS } from '#shared/ingestion/rules/target-fields.ts'
import { UpsertLead } from '#shared/leads/api/lead-request.ts'
import { upsertLead } from '#shared/leads/upsert-lead.ts'
import { leadReply } from '../leads/lead-reply.ts'

export const handler = ingestionApi(UpsertLead, async ({ owner, input, isAnonymous }) => {
  const written = await upsertLead(owner, input, { lookups: LOOKUPS, several: 'newest', mode: 'upsert' })
  return leadReply(written, isAnonymous ? [] : (written.others ?? []))
})
