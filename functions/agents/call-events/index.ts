import * as v from 'valibot'
import { invalid } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { parseJson } from '#shared/http/json.ts'
import { ok } from '#shared/http/reply.ts'
import { signedCall } from '#shared/operations/signed-call.ts'
import { standingOf } from '#shared/operations/standing.ts'
import type { Call } from '#shared/schema/call.ts'
import { wellFormed } from '#shared/schema/told-text.ts'
import { CallReport } from './schema.ts'
import { takeReport } from './take.ts'

const Params = v.object({ call_id: v.string() })

/** @throws ServiceError of validation when it is no report, or one of another call */
const parseReport = (call: Call, rawBody: string): CallReport => {
  const result = v.safeParse(CallReport, wellFormed(parseJson(rawBody)))
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
  const call = await signedCall(params.call_id, { rawBody, headers })
  const told = await takeReport(call, parseReport(call, rawBody), rawBody)
  return ok({ status: 'accepted', ...(await standingOf(told ?? call)) })
})
