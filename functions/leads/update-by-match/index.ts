import { nextSequence } from '#shared/adapters/sequence.ts'
import { notFound } from '#shared/domain/errors.ts'
import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { flagsThatStand } from '#shared/operations/flags-that-stand.ts'
import { withLeadTypeErrors } from '#shared/operations/lead-type.ts'
import { matchLead } from '#shared/operations/match-lead.ts'
import { updateLead } from '#shared/operations/update-lead.ts'
import { UpdateByMatch } from '#shared/schema/requests/update-by-match.ts'

export const handler = api({ auth: 'token', body: UpdateByMatch, alsoRefused: withLeadTypeErrors }, async ({ user, body }) => {
  const id = await matchLead(user.id, body.phone_number, body.email)
  if (id === undefined) throw notFound()
  const lead = await updateLead(user.id, id, body.patch, { cause: 'MANUAL', accepted: nextSequence(), atOnce: true })
  return withWarnings(ok(representLead(lead)), await flagsThatStand(lead, body.patch))
})
