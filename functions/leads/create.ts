import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { createLead } from '#shared/leads/create-lead.ts'
import { warningsOf } from '#shared/leads/lead-warnings.ts'

export const handler = api(
  { auth: 'token', body: CreateLead, alsoRefused: withLeadTypeErrors, forms: true },
  async ({ user, body, reservation, isRepeat }) => {
    const { lead, action, others } = await createLead(user.id, body, { reservation: reservation(0), isRepeat })
    const reply = action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
    return withWarnings(reply, await warningsOf(lead, others))
  },
)
