import type { Call } from '../../schema/call.ts'
import type { Instant } from '../../schema/values.ts'
import { formatOptional } from '../time.ts'
import { callStatus } from './call-status.ts'
import { transferLeg } from './transfer-leg.ts'

const seconds = (call: Call): number | null => {
  if (call.duration_seconds !== null) return call.duration_seconds
  return call.answered_time !== null && call.ended_time !== null ? Math.max(0, (call.ended_time - call.answered_time) / 1000) : null
}

/** When the phone began to ring, as far as is known: an answer may be told before the agent's acceptance is. */
const started = ({ accepted_time, answered_time }: Call): Instant | null =>
  accepted_time === null || answered_time === null ? (accepted_time ?? answered_time) : Math.min(accepted_time, answered_time)

/** The call object of the interface. */
export const representCall = (call: Call, zone?: string) => ({
  call_id: call.call_id,
  lead: call.lead,
  call_direction: call.call_direction,
  call_status: callStatus(call),
  attempt: call.attempt,
  outcome: call.outcome,
  is_contact: call.is_contact,
  started_time: formatOptional(started(call), zone),
  answered_time: formatOptional(call.answered_time, zone),
  ended_time: formatOptional(call.ended_time ?? call.completed_time, zone),
  duration_seconds: seconds(call),
  summary: call.summary,
  representative: call.representative,
  external_ids: call.external_ids,
  transfer: transferLeg(call, zone),
})
