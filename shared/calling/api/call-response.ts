import * as v from 'valibot'
import { OptionalDateTime } from '../../http/responses/values.ts'
import { Id } from '../../platform/values/values.ts'
import { CALL_OUTCOMES, CALL_STATUSES } from '../call.ts'

const FreeKeys = v.nullable(v.record(v.string(), v.unknown()))

/** The separate call to the destination of a transfer. `unavailable`: nobody took the person over. */
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
  failure_reason: v.pipe(v.nullable(v.string()), v.description('Why a call is `FAILED` or `UNKNOWN`, in a sentence.')),
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
