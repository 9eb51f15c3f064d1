import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { UpdateByMatch } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { warningsOfUpdate } from '#shared/leads/lead-warnings.ts'
import { updateLead } from '#shared/leads/update-lead.ts'
import { matchLead } from '#shared/lists/find-leads.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { notFound } from '#shared/platform/values/errors.ts'

export const handler = api({ auth: 'token', body: UpdateByMatch, alsoRefused: withLeadTypeErrors }, async ({ user, body }) => {
  const id = await matchLead(user.id, body.phone_number, body.email)
  if (id === undefined) throw notFound()
  const lead = await updateLead(user.id, id, body.patch, { cause: 'MANUAL', accepted: nextSequence(), atOnce: true, staff: user.staff })
  return withWarnings(ok(representLead(lead)), await warningsOfUpdate(lead, body.patch))
})
