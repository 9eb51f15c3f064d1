import { ingestionApi } from '#shared/http/ingestion-api.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { createLead } from '#shared/leads/create-lead.ts'
import { leadReply } from '../leads/lead-reply.ts'

export const handler = ingestionApi(CreateLead, async ({ owner, input, reservation, isRepeat, isAnonymous }) => {
  const written = await createLead(owner, input, { reservation, isRepeat, means: 'ingestion' })
  return leadReply(written, isAnonymous ? [] : written.others)
})
