import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { UpdateLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'
import { warningsOfUpdate } from '#shared/leads/lead-warnings.ts'
import { updateLead } from '#shared/leads/update-lead.ts'
import { nextSequence } from '#shared/platform/sequence.ts'

export const handler = api(
  { auth: 'token', params: IdParams, find: getOwnLead, body: UpdateLead, alsoRefused: withLeadTypeErrors },
  async ({ user, params, body }) => {
    const lead = await updateLead(user.id, params.id, body, { cause: 'MANUAL', accepted: nextSequence(), atOnce: true, staff: user.staff })
    return withWarnings(ok(representLead(lead)), await warningsOfUpdate(lead, body))
  },
)
