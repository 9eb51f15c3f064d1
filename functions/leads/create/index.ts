import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { createLead } from '#shared/operations/create-lead.ts'
import { withLeadTypeErrors } from '#shared/operations/lead-type.ts'
import { CreateLead } from '#shared/schema/requests/create-lead.ts'

export const handler = api(
  { auth: 'token', body: CreateLead, alsoRefused: withLeadTypeErrors, forms: true },
  async ({ user, body, reservation, isRepeat }) => {
    const { lead, action } = await createLead(user.id, body, { reservation: reservation(0), isRepeat })
    return action === 'created' ? created(representLead(lead)) : ok(representLead(lead))
  },
)
