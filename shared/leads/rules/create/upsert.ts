import { isSameJson } from '../../../platform/values/values.ts'
import type { CreateLead, UpdateLead, UpsertLead } from '../../api/lead-request.ts'
import type { Lead } from '../../lead.ts'
import { mayBeEvidence } from '../field-times.ts'
import { DESCRIPTIVE_FIELDS } from '../lead-fields.ts'
import { emailKey } from '../uniqueness.ts'

const SUPPLIED = [...DESCRIPTIVE_FIELDS, 'status', 'metadata', 'call_dnc', 'sms_dnc'] as const

/**
 * The changes that an upsert makes to an existing lead: only fields with a value. It never changes the lead type or the start of calls. A
 * blank value changes nothing, and "do not contact" is never cleared.
 */
export const patchOf = (input: UpsertLead): UpdateLead =>
  Object.fromEntries(SUPPLIED.flatMap((field) => (input[field] ? [[field, input[field]]] : [])))

const hasOtherValues = (lead: Lead, { metadata, ...fields }: UpdateLead): boolean =>
  SUPPLIED.some((field) => field !== 'metadata' && field in fields && fields[field] !== lead[field]) ||
  Object.entries(metadata ?? {}).some(([key, value]) => !Object.hasOwn(lead.metadata, key) || !isSameJson(lead.metadata[key], value))

/**
 * Whether the update changes anything on the lead. A key of the metadata that is sent again says the same about a new phone number. A value
 * that a call collected becomes the client's.
 */
export const changesLead = (lead: Lead, patch: UpdateLead): boolean =>
  hasOtherValues(lead, patch) || Object.keys(patch.metadata ?? {}).some((key) => !mayBeEvidence(lead, key))

interface Made {
  readonly owner: number
  readonly leadTypeId: number | null
}

/**
 * Whether a create would make this lead again: it has all data of the create, and the same email or none. The status does not count,
 * because calls change it. Stops do not count, because they belong to the phone.
 */
export const isMadeAlready = (lead: Lead, input: CreateLead, { owner, leadTypeId }: Made): boolean => {
  const { status, call_dnc, sms_dnc, email, ...said } = patchOf(input)
  const isSameEmail = emailKey(lead.email) === emailKey(email)
  return isSameEmail && lead.owner === owner && lead.lead_type === leadTypeId && !hasOtherValues(lead, said)
}
