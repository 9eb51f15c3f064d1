import { created, ok, type Reply } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { warningsOf } from '#shared/leads/lead-warnings.ts'

/**
 * The answer to a request that wrote a lead, with its warnings.
 * @param others ids of the other leads of its phone
 */
export const leadReply = async (
  { lead, action }: { readonly lead: Lead; readonly action: string },
  others: readonly number[],
): Promise<Reply> => {
  const body = representLead(lead)
  return withWarnings(action === 'created' ? created(body) : ok(body), await warningsOf(lead, others))
}
