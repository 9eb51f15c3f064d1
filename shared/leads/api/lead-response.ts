import * as v from 'valibot'
import { shownCall } from '../../backlog/rules/holders.ts'
import { Count, DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { formatCreatedAt, formatInstant, formatOptional } from '../../platform/values/time.ts'
import { Id, LEAD_STATUSES, NEXT_CALL_TIME_REASONS, STATUS_DETAILS, STATUS_REASONS, US_STATES } from '../../platform/values/values.ts'
import type { PublishedLead } from '../lead.ts'

/** Lead fields that the metadata of a response repeats, besides the client's own keys. */
const Metadata = v.objectWithRest(
  {
    phone_number: v.string(),
    email: v.nullable(v.string()),
    lead_source: v.string(),
    external_id: v.nullable(v.string()),
    created_at: v.pipe(
      v.string(),
      v.description('In the time zone of all returned datetimes.'),
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
  modified_time: v.pipe(DateTime, v.description('The last change of the lead. A dial or a move of the next call alone does not count.')),
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
    v.description('Also null while a setting of the operator holds the lead back. `explain` names the setting.'),
  ),
  next_call_time_reason: v.nullable(v.picklist(NEXT_CALL_TIME_REASONS)),
  received_time: DateTime,
  reengagements_count: Count,
  last_reengagement_time: OptionalDateTime,
  call_schedule_start_time: OptionalDateTime,
  sms_dnc: v.boolean(),
  call_dnc: v.boolean(),
})

/** Metadata keys that only repeat lead fields: added to responses, never stored. */
const echo = (lead: PublishedLead) => ({
  phone_number: lead.phone_number,
  email: lead.email,
  lead_source: lead.lead_source,
  external_id: lead.external_id,
  created_at: formatCreatedAt(lead.created_time),
})

/** The Lead object of the API. Datetimes are ISO 8601 in the deployment's timezone. */
export const representLead = (lead: PublishedLead): v.InferOutput<typeof LeadResponse> => {
  const { next_call_time, next_call_time_reason } = shownCall(lead)
  return {
    id: lead.id,
    email: lead.email,
    phone_number: lead.phone_number,
    metadata: { ...lead.metadata, ...echo(lead) },
    modified_time: formatInstant(lead.modified_time),
    created_time: formatInstant(lead.created_time),
    status: lead.status,
    status_detail: lead.status_detail,
    status_reason: lead.status_reason,
    lead_type: lead.lead_type,
    representative: lead.representative,
    external_id: lead.external_id,
    us_state: lead.us_state,
    lead_source: lead.lead_source,
    next_call_time: formatOptional(next_call_time),
    next_call_time_reason,
    received_time: formatInstant(lead.received_time),
    reengagements_count: lead.reengagements_count,
    last_reengagement_time: formatOptional(lead.last_reengagement_time),
    call_schedule_start_time: formatOptional(lead.call_schedule_start_time),
    sms_dnc: lead.sms_dnc,
    call_dnc: lead.call_dnc,
  }
}
