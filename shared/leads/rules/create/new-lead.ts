import { NO_NEXT_CALL, nextCall } from '../../../calling/rules/next-call.ts'
import type { CallingPolicy } from '../../../calling/rules/policy.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { CreateLead } from '../../api/lead-request.ts'
import type { Lead } from '../../lead.ts'
import { NEW_ROUND } from '../transitions.ts'

/** Input for a new lead, besides the request. */
export interface NewLead {
  readonly id: number
  readonly position: number
  readonly owner: number
  readonly leadType: number | null
  /** Stops that are already on the phone. */
  readonly phone: { readonly call_dnc: boolean; readonly sms_dnc: boolean }
  readonly now: Instant
  readonly policy: CallingPolicy
  /** Whether its first call is scheduled. Default: yes. */
  readonly isCalled?: boolean
}

/** A new lead. Its first call is scheduled if the lead may be called. */
export const newLead = (input: CreateLead, { id, position, owner, leadType, phone, now, policy, isCalled = true }: NewLead): Lead => {
  const lead: Lead = {
    id,
    owner,
    version: 1,
    position,
    cause: 'create',
    phone_number: input.phone_number,
    email: input.email ?? null,
    metadata: input.metadata ?? {},
    status: input.status ?? (leadType === null ? 'NEW' : 'OPEN'),
    status_detail: null,
    status_reason: 'UNKNOWN',
    lead_type: leadType,
    representative: input.representative ?? null,
    external_id: input.external_id ?? null,
    us_state: input.us_state ?? null,
    lead_source: input.lead_source ?? '',
    sms_dnc: phone.sms_dnc || input.sms_dnc === true,
    call_dnc: phone.call_dnc || input.call_dnc === true,
    created_time: now,
    modified_time: now,
    received_time: now,
    call_schedule_start_time: input.call_schedule_start_time ?? null,
    reengagements_count: 0,
    last_reengagement_time: null,
    reengaged_for: null,
    ...NO_NEXT_CALL,
    first_inbound_time: null,
    attempts: 0,
    ...NEW_ROUND,
    field_times: {},
    collected_times: {},
    collected_fields: {},
    current_call: null,
    dialled_time: null,
    told_by: null,
    former_place: null,
    last_chat: null,
    ingested: [],
  }
  return isCalled ? { ...lead, ...nextCall(lead, now, 'FIRST_CALL', policy) } : lead
}
