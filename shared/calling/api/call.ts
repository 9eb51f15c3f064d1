import * as v from 'valibot'
import { transferLeg } from '../../agents/rules/transfer-legs.ts'
import { OptionalDateTime } from '../../http/responses/values.ts'
import { formatOptional } from '../../platform/values/time.ts'
import { Id, type Instant } from '../../platform/values/values.ts'
import { CALL_OUTCOMES, CALL_STATUSES, type Call } from '../call.ts'
import { callStatus } from '../rules/call-status.ts'

const FreeKeys = v.nullable(v.record(v.string(), v.unknown()))

/** The separate call to the destination of a transfer. */
const TransferLeg = v.strictObject({
  mode: v.nullable(v.string()),
  destination: v.nullable(v.string()),
  status: v.picklist(['initiated', 'connected', 'unavailable', 'ended']),
  initiated_time: OptionalDateTime,
  connected_time: OptionalDateTime,
  ended_time: OptionalDateTime,
})

/** A call as clients see it. */
export const CallResponse = v.strictObject({
  call_id: v.string(),
  lead: Id,
  call_direction: v.picklist(['outbound', 'inbound']),
  call_status: v.picklist(CALL_STATUSES),
  attempt: v.pipe(v.number(), v.integer(), v.minValue(1)),
  outcome: v.nullable(v.picklist(CALL_OUTCOMES)),
  failure_reason: v.pipe(
    v.nullable(v.string()),
    v.description('Why a call is `FAILED` or `UNKNOWN`, or why a `QUEUED` call is not `DIALING` yet.'),
  ),
  is_contact: v.nullable(v.boolean()),
  started_time: OptionalDateTime,
  answered_time: OptionalDateTime,
  ended_time: OptionalDateTime,
  duration_seconds: v.nullable(v.pipe(v.number(), v.minValue(0))),
  summary: v.nullable(v.string()),
  representative: FreeKeys,
  external_ids: FreeKeys,
  transfer: v.nullable(TransferLeg),
})

const seconds = (call: Call): number | null => {
  if (call.duration_seconds !== null) return call.duration_seconds
  return call.answered_time !== null && call.ended_time !== null ? Math.max(0, (call.ended_time - call.answered_time) / 1000) : null
}

/** When the phone began to ring, as far as known. If the answer was reported before the agent accepted the call, the time of the answer. */
const started = ({ accepted_time, answered_time }: Call): Instant | null =>
  accepted_time === null || answered_time === null ? (accepted_time ?? answered_time) : Math.min(accepted_time, answered_time)

/** Why the call is `FAILED` or `UNKNOWN`, or not accepted yet; null in any other status. */
const failureReason = (call: Call): string | null => {
  const status = callStatus(call)
  if (status === 'QUEUED') return call.unclear_reason
  return status === 'FAILED' || status === 'UNKNOWN' ? call.failure : null
}

/** The call object of the API. */
export const representCall = (call: Call): v.InferOutput<typeof CallResponse> => ({
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
