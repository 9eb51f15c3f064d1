import { CallReport } from '#shared/agents/api/call-report.ts'
import { applyLateReport, applyReport, applyStop } from '#shared/calling/take-report.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { invalid } from '#shared/platform/values/errors.ts'
import { personStatusOf } from '#shared/stops/person-status.ts'
import { patiently } from './patiently.ts'
import { CallParams, signedReport } from './signed-request.ts'

export const handler = api(
  { auth: 'none', params: CallParams },
  patiently(async (request) => {
    const { call, said: report } = await signedReport(CallReport, request)
    if ('erased_time' in call) return ok({ status: 'accepted', ...(await applyLateReport(call, report)) })
    if (report.provider_call_id && call.provider_call_id && report.provider_call_id !== call.provider_call_id) {
      // The report may be of a second call to the person. Its stop counts too: the person must not be called again.
      await applyStop(call, report)
      throw invalid({ provider_call_id: ['This call already has another provider_call_id.'] })
    }
    const updated = await applyReport(call, report, request.rawBody)
    return ok({ status: 'accepted', ...(await personStatusOf(updated ?? call)) })
  }),
)
