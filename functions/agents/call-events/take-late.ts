import { outcomeOf } from '#shared/calling/rules/finish/outcomes.ts'
import type { ErasedCall } from '#shared/erasure/erased-call-store.ts'
import type { Channel } from '#shared/stops/compliance.ts'
import type { PersonStatus } from '#shared/stops/person-status.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { stopFromErasedCall } from '#shared/stops/stop-from-call.ts'
import type { CallReport } from './schema.ts'
import { channelStopped } from './take.ts'

const stopIn = (report: CallReport): Channel | undefined =>
  report.type === 'call.completed' && outcomeOf(report.data.outcome).dnc ? 'call' : channelStopped(report)

/** After the erasure of a call's person, only a stop is accepted. If the call is still going on, the answer tells the agent to cancel it. */
export const takeLateReport = async (call: ErasedCall, report: CallReport): Promise<PersonStatus> => {
  const stopped = stopIn(report)
  if (stopped) await stopFromErasedCall(call, stopped)
  const { call_dnc, sms_dnc } = await getPhone(call.phone_key)
  return { call_dnc, sms_dnc, lead_status: 'UNKNOWN', cancel: true }
}
