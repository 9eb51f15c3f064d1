import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { createLead } from '#shared/leads/create-lead.ts'

export const handler = api(
  { auth: 'token', body: CreateLead, alsoRefused: withLeadTypeErrors, forms: true },
  async ({ user, body, reservation, isRepeat }) => {
    const { lead, action } = await createLead(user.id, body, { reservation: reservation(0), isRepeat })
    return action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
  },
)
