import * as v from 'valibot'
import { callBriefing } from '#shared/domain/calling/call-request.ts'
import { unauthenticated } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { parseJson } from '#shared/http/json.ts'
import { created, ok } from '#shared/http/reply.ts'
import { signedFields } from '#shared/http/signed-fields.ts'
import { takeInboundCall } from '#shared/operations/inbound-call.ts'
import { checkSignature, type Signed } from '#shared/operations/signed-call.ts'
import { CalledNumber, InboundCall } from '#shared/schema/requests/inbound-call.ts'
import { getInboundNumber } from '#shared/storage/inbound-numbers.ts'
import { getLeadType } from '#shared/storage/lead-types.ts'

/** The lead type of the number that was called, if its agent signed. An unknown number looks the same as a wrong signature. */
const signedLeadType = async (request: Signed) => {
  const called = v.safeParse(CalledNumber, parseJson(request.rawBody))
  if (!called.success) return undefined
  const known = await getInboundNumber(called.output.to)
  const leadType = known && (await getLeadType(known.owner, known.lead_type))
  await checkSignature(leadType?.agent, request)
  return leadType
}

/** Further reports go where this one came: the function cannot be told the address of the API that it is a part of. */
const baseOf = (url: string): string => url.slice(0, url.lastIndexOf('/api/agents/'))

export const handler = api({ auth: 'none' }, async ({ rawBody, headers, url }) => {
  const leadType = await signedLeadType({ rawBody, headers })
  const { provider_call_id, from } = signedFields(InboundCall, rawBody)
  if (!leadType) throw unauthenticated('Invalid signature.')
  const { call, lead, isNew } = await takeInboundCall({ leadType, providerCallId: provider_call_id, from })
  const briefing = callBriefing({ call, lead, leadType, baseUrl: baseOf(url) })
  return isNew ? created(briefing) : ok(briefing)
})
