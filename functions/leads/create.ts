import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { api } from '#shared/http/api.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { createLead } from '#shared/leads/create-lead.ts'
import { leadReply } from './lead-reply.ts'

export const handler = api(
  { auth: 'token', body: CreateLead, alsoRefused: withLeadTypeErrors, forms: true },
  async ({ user, body, reservation, isRepeat }) => {
    const written = await createLead(user.id, body, { reservation: reservation(0), isRepeat, staff: user.staff })
    return leadReply(written, written.others)
  },
)
