import * as v from 'valibot'
import { Count, DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { Id, LEAD_STATUSES, NEXT_CALL_TIME_REASONS, STATUS_DETAILS, STATUS_REASONS, US_STATES } from '../../platform/values/values.ts'

/** Lead fields that the metadata of a response repeats, besides the client's own keys. */
const Metadata = v.objectWithRest(
  {
    phone_number: v.string(),
    email: v.nullable(v.string()),
    lead_source: v.string(),
    external_id: v.nullable(v.string()),
    created_at: v.pipe(
      v.string(),
      v.description('In the zone of all datetimes that are returned.'),
      v.metadata({ examples: ['11/20/2026 16:00'] }),
    ),
  },
  v.unknown(),
)

/** A lead as clients see it. */
export const LeadResponse = v.strictObject({
  id: Id,
  email: v.nullable(v.string()),
  phone_number: v.pipe(v.string(), v.metadata({ description: 'E.164.', examples: ['+12125550123'] })),
  metadata: Metadata,
  modified_time: DateTime,
  created_time: DateTime,
  status: v.picklist(LEAD_STATUSES),
  status_detail: v.nullable(v.picklist(STATUS_DETAILS)),
  status_reason: v.nullable(v.picklist(STATUS_REASONS)),
  lead_type: v.nullable(Id),
  representative: v.nullable(Id),
  external_id: v.nullable(v.string()),
  us_state: v.nullable(v.picklist(US_STATES)),
  lead_source: v.string(),
  next_call_time: v.pipe(
    OptionalDateTime,
    v.description('Null also while a setting of the operator holds the lead back; `explain` names the setting.'),
  ),
  next_call_time_reason: v.nullable(v.picklist(NEXT_CALL_TIME_REASONS)),
  received_time: DateTime,
  reengagements_count: Count,
  last_reengagement_time: OptionalDateTime,
  call_schedule_start_time: OptionalDateTime,
  sms_dnc: v.boolean(),
  call_dnc: v.boolean(),
})
