import * as v from 'valibot'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { getLeadType } from '#shared/accounts/lead-type-store.ts'
import { CalledNumber, InboundCall } from '#shared/agents/api/inbound-call.ts'
import { getInboundNumber } from '#shared/agents/inbound-number-store.ts'
import { baseUrlOf, callBriefing } from '#shared/agents/rules/call-request.ts'
import { checkSignature, type Signed } from '#shared/agents/signed-call.ts'
import { disclosuresOf } from '#shared/calling/calling-policy.ts'
import { takeInboundCall } from '#shared/calling/inbound-call.ts'
import { api } from '#shared/http/api.ts'
import { parseJson } from '#shared/http/json.ts'
import { created, ok } from '#shared/http/reply.ts'
import { unsigned } from '#shared/platform/values/errors.ts'
import { patiently } from './patiently.ts'
import { signedFields } from './signed-request.ts'

/** The number that was called. @throws ServiceError of validation, or `parse`: without the number, the signer is not known */
const calledNumber = (rawBody: string): string => {
  const called = v.safeParse(CalledNumber, parseJson(rawBody))
  return called.success ? called.output.to : signedFields(InboundCall, rawBody).to
}

/** The lead type of a number, if its agent signed. @throws ServiceError `unsigned`, also for an unknown number */
const signedLeadType = async (number: string, request: Signed): Promise<LeadType> => {
  const known = await getInboundNumber(number)
  const leadType = known && (await getLeadType(known.owner, known.lead_type))
  if (!leadType) throw unsigned()
  await checkSignature(leadType.agent, request)
  return leadType
}

// The call holds the phone, so that the service does not dial a person who is already on the phone: it must not be lost.
export const handler = api(
  { auth: 'none' },
  patiently(async ({ rawBody, headers, url }) => {
    const leadType = await signedLeadType(calledNumber(rawBody), { rawBody, headers })
    const { provider_call_id, from } = signedFields(InboundCall, rawBody)
    const { call, lead, isNew } = await takeInboundCall({ leadType, providerCallId: provider_call_id, from })
    const briefing = callBriefing({ call, lead, leadType, disclosures: disclosuresOf(call, lead), baseUrl: baseUrlOf(url) })
    return isNew ? created(briefing) : ok(briefing)
  }),
)
