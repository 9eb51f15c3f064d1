import { nextSequence } from '#shared/adapters/sequence.ts'
import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { flagsThatStand } from '#shared/operations/flags-that-stand.ts'
import { withLeadTypeErrors } from '#shared/operations/lead-type.ts'
import { updateLead } from '#shared/operations/update-lead.ts'
import { UpdateLead } from '#shared/schema/requests/update-lead.ts'
import { getOwnLead } from '#shared/storage/leads.ts'

export const handler = api(
  { auth: 'token', params: IdParams, find: getOwnLead, body: UpdateLead, alsoRefused: withLeadTypeErrors },
  async ({ user, params, body }) => {
    const lead = await updateLead(user.id, params.id, body, { cause: 'MANUAL', accepted: nextSequence(), atOnce: true })
    return withWarnings(ok(representLead(lead)), await flagsThatStand(lead, body))
  },
)
