import * as v from 'valibot'
import { isSignedBy } from '#shared/adapters/voice-agent.ts'
import { invalid, unauthenticated } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { parseJson } from '#shared/http/json.ts'
import { ok } from '#shared/http/reply.ts'
import type { Call } from '#shared/schema/call.ts'
import { getAgent } from '#shared/storage/agents.ts'
import { getCall } from '#shared/storage/calls.ts'
import { CallReport } from './schema.ts'
import { takeReport } from './take.ts'

const Params = v.object({ call_id: v.string() })

/** The call, if its own agent signed the report. An unknown call looks the same as a wrong signature. */
const signedCall = async (callId: string, rawBody: string, headers: Readonly<Record<string, string>>): Promise<Call> => {
  const call = await getCall(callId)
  const agent = call && (await getAgent(call.agent))
  if (!call || !agent || !isSignedBy(agent, rawBody, headers)) throw unauthenticated('Invalid signature.')
  return call
}

/** @throws ServiceError of validation when it is no report, or one of another call */
const parseReport = (call: Call, rawBody: string): CallReport => {
  const result = v.safeParse(CallReport, parseJson(rawBody))
  if (!result.success) {
    const [issue] = result.issues
    throw invalid({ [v.getDotPath(issue) ?? 'non_field_errors']: [issue.message] })
  }
  const { call_id, provider_call_id } = result.output
  if (call_id !== call.call_id) throw invalid({ call_id: ['The report is about another call.'] })
  if (provider_call_id && call.provider_call_id && provider_call_id !== call.provider_call_id) {
    throw invalid({ provider_call_id: ['The provider gave this call another id.'] })
  }
  return result.output
}

export const handler = api({ auth: 'none', params: Params }, async ({ params, rawBody, headers }) => {
  const call = await signedCall(params.call_id, rawBody, headers)
  await takeReport(call, parseReport(call, rawBody))
  return ok({ status: 'accepted' })
})
