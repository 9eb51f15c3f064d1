import { nextCall } from '../../../calling/rules/next-call.ts'
import type { CallingPolicy } from '../../../calling/rules/policy.ts'
import { fitsMetadata, TOO_LARGE_METADATA } from '../../../http/fields/metadata.ts'
import { invalid } from '../../../platform/values/errors.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { CreateLead } from '../../api/create-lead.ts'
import type { Lead } from '../../lead.ts'
import { withTimes } from '../field-times.ts'
import { NEW_ROUND } from '../round.ts'

/** Input for a reengagement, besides the lead and the request. */
export interface Reengagement {
  /** The lead type of the create. Used when the lead has none. */
  readonly leadType: number | null
  /** Stops on the phone. */
  readonly phone: { readonly call_dnc: boolean; readonly sms_dnc: boolean }
  /** Acceptance sequence. Updates that were accepted before it do not overwrite the newer values. */
  readonly accepted: string
  /** Identifies the create among all requests that can be repeated. */
  readonly requestName: string | number | undefined
  readonly now: Instant
  readonly policy: CallingPolicy
}

const mergeMetadata = (lead: Lead, input: CreateLead): Record<string, unknown> => {
  const metadata = { ...lead.metadata, ...input.metadata }
  if (!fitsMetadata(metadata)) throw invalid({ metadata: [TOO_LARGE_METADATA] })
  return metadata
}

/** The fields with a value in the request. Null and blank values clear nothing. */
const supplied = (input: CreateLead) => ({
  ...(input.email && { email: input.email }),
  ...(input.lead_type && { lead_type: input.lead_type }),
  ...(input.representative && { representative: input.representative }),
  ...(input.external_id && { external_id: input.external_id }),
  ...(input.us_state && { us_state: input.us_state }),
  ...(input.lead_source && { lead_source: input.lead_source }),
  ...(input.call_schedule_start_time && { call_schedule_start_time: input.call_schedule_start_time }),
})

/**
 * Reopens the lead with the newer data and schedules its next call. Never lifts a stop.
 * @throws ServiceError under `metadata` when old and new metadata together exceed the limit
 */
export const reengaged = (lead: Lead, input: CreateLead, made: Reengagement): Lead => {
  const { phone, now, accepted } = made
  const newer = supplied(input)
  const metadata = mergeMetadata(lead, input)
  const setFields = [...Object.keys(newer), 'status', 'status_detail']
  const next: Lead = {
    ...lead,
    lead_type: lead.lead_type ?? made.leadType,
    ...newer,
    metadata,
    version: lead.version + 1,
    cause: 'reengage',
    status: 'OPEN',
    status_detail: null,
    status_reason: 'REENGAGEMENT',
    sms_dnc: lead.sms_dnc || phone.sms_dnc || input.sms_dnc === true,
    call_dnc: lead.call_dnc || phone.call_dnc || input.call_dnc === true,
    modified_time: now,
    reengagements_count: lead.reengagements_count + 1,
    last_reengagement_time: now,
    reengaged_for: made.requestName ?? null,
    ...NEW_ROUND,
    current_call: null,
    field_times: withTimes(lead.field_times, setFields, Object.keys(input.metadata ?? {}), accepted),
  }
  return { ...next, ...nextCall(next, now, 'REENGAGEMENT', made.policy) }
}
