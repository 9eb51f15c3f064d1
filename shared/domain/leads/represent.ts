import type { ToldLead } from '../../schema/lead.ts'
import { formatCreatedAt, formatInstant, formatOptional } from '../time.ts'

/** Metadata keys that only repeat fields of the lead: added to what is shown, never stored. */
const echo = (lead: ToldLead, zone: string | undefined) => ({
  phone_number: lead.phone_number,
  email: lead.email,
  lead_source: lead.lead_source,
  external_id: lead.external_id,
  created_at: formatCreatedAt(lead.created_time, zone),
})

/** The Lead object of the interface. Datetimes are ISO 8601 in `zone`, UTC unless said otherwise. */
export const representLead = (lead: ToldLead, zone?: string) => ({
  id: lead.id,
  email: lead.email,
  phone_number: lead.phone_number,
  metadata: { ...lead.metadata, ...echo(lead, zone) },
  modified_time: formatInstant(lead.modified_time, zone),
  created_time: formatInstant(lead.created_time, zone),
  status: lead.status,
  status_detail: lead.status_detail,
  status_reason: lead.status_reason,
  lead_type: lead.lead_type,
  representative: lead.representative,
  external_id: lead.external_id,
  us_state: lead.us_state,
  lead_source: lead.lead_source,
  next_call_time: formatOptional(lead.next_call_time, zone),
  next_call_time_reason: lead.next_call_time_reason,
  received_time: formatInstant(lead.received_time, zone),
  reengagements_count: lead.reengagements_count,
  last_reengagement_time: formatOptional(lead.last_reengagement_time, zone),
  call_schedule_start_time: formatOptional(lead.call_schedule_start_time, zone),
  sms_dnc: lead.sms_dnc,
  call_dnc: lead.call_dnc,
})
