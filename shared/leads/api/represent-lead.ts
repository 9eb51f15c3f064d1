import { shownCall } from '../../backlog/rules/holders.ts'
import { formatCreatedAt, formatInstant, formatOptional } from '../../platform/values/time.ts'
import type { ToldLead } from '../lead.ts'

/** Metadata keys that only repeat lead fields: added to responses, never stored. */
const echo = (lead: ToldLead) => ({
  phone_number: lead.phone_number,
  email: lead.email,
  lead_source: lead.lead_source,
  external_id: lead.external_id,
  created_at: formatCreatedAt(lead.created_time),
})

/** The Lead object of the API. Datetimes are ISO 8601 in the deployment's timezone. */
export const representLead = (lead: ToldLead) => {
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
