import { transferLeg } from '../../agents/rules/transfer-leg.ts'
import { formatOptional } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Call } from '../call.ts'
import { callStatus } from '../rules/call-status.ts'

const seconds = (call: Call): number | null => {
  if (call.duration_seconds !== null) return call.duration_seconds
  return call.answered_time !== null && call.ended_time !== null ? Math.max(0, (call.ended_time - call.answered_time) / 1000) : null
}

/** When the phone began to ring, as far as known. The answer may be reported before the agent's acceptance. */
const started = ({ accepted_time, answered_time }: Call): Instant | null =>
  accepted_time === null || answered_time === null ? (accepted_time ?? answered_time) : Math.min(accepted_time, answered_time)

/** Why the call is `FAILED` or `UNKNOWN`; null in any other status. */
const failureReason = (call: Call): string | null => {
  const status = callStatus(call)
  return status === 'FAILED' || status === 'UNKNOWN' ? call.failure : null
}

/** The call object of the API. */
export const representCall = (call: Call) => ({
  call_id: call.call_id,
  lead: call.lead,
  call_direction: call.call_direction,
  call_status: callStatus(call),
  attempt: call.attempt,
  outcome: call.outcome,
  failure_reason: failureReason(call),
  is_contact: call.is_contact,
  started_time: formatOptional(started(call)),
  answered_time: formatOptional(call.answered_time),
  ended_time: formatOptional(call.ended_time ?? call.completed_time),
  duration_seconds: seconds(call),
  summary: call.summary,
  representative: call.representative,
  external_ids: call.external_ids,
  transfer: transferLeg(call),
})
