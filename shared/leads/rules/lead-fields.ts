import type { LeadType } from '../../accounts/configuration.ts'
import type { Lead } from '../lead.ts'

/** Fields that describe the lead. Clients, files and operators change them. A call only fills empty ones. */
export const DESCRIPTIVE_FIELDS = ['email', 'phone_number', 'representative', 'external_id', 'us_state', 'lead_source'] as const

/** Fields that an update sets, besides the metadata. Every update of one records its time in `field_times`. */
export const UPDATED_FIELDS = [...DESCRIPTIVE_FIELDS, 'status', 'status_detail', 'lead_type', 'sms_dnc', 'call_dnc'] as const

/** The descriptive fields of a request. The compiler checks that a lead can hold them. */
type Described = { readonly [F in (typeof DESCRIPTIVE_FIELDS)[number]]?: Lead[F] | undefined }

const chosen = (request: Described, isChosen: (value: unknown) => boolean): Partial<Lead> =>
  Object.fromEntries(DESCRIPTIVE_FIELDS.flatMap((field) => (isChosen(request[field]) ? [[field, request[field]]] : [])))

/** The descriptive fields that a request sets, null included. */
export const sentFields = (request: Described): Partial<Lead> => chosen(request, (value) => value !== undefined)

/** The descriptive fields with a value in a request. Null and blank values are left out. */
export const filledFields = (request: Described): Partial<Lead> => chosen(request, Boolean)

/** Metadata keys that decide at a gate whether the lead may be called: a consent, a purchase or an inquiry, and a contact. */
export const gateKeys = ({ consent_field, registries, reassigned_numbers }: LeadType): readonly string[] =>
  [consent_field, registries?.relationship_field, reassigned_numbers?.date_field].filter((key) => typeof key === 'string')
