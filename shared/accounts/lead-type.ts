import * as v from 'valibot'
import type { Call } from '../calling/call.ts'
import { idField, unknownId } from '../http/fields/number.ts'
import type { Lead } from '../leads/lead.ts'
import { type FieldErrors, invalid } from '../platform/values/errors.ts'
import type { LeadType, User } from './configuration.ts'
import { getLeadType } from './lead-type-store.ts'

/** The lead type that a request names. @throws ServiceError under `lead_type` when the owner has no such lead type */
export const namedLeadType = async (owner: number, asked: number): Promise<LeadType> => {
  const leadType = await getLeadType(owner, asked)
  if (!leadType) throw invalid({ lead_type: [unknownId(asked)] })
  return leadType
}

/** The lead type that a create request names, or the owner's default. @throws ServiceError under `lead_type` */
export const leadTypeFor = async (
  owner: User,
  asked: number | null | undefined,
): Promise<{ leadTypeId: number | null; leadType: LeadType | undefined }> => {
  if (asked) return { leadTypeId: asked, leadType: await namedLeadType(owner.id, asked) }
  const leadTypeId = owner.default_lead_type
  return { leadTypeId, leadType: leadTypeId === null ? undefined : await getLeadType(owner.id, leadTypeId) }
}

/** The lead type whose cadence continues after a call. After an inbound call it is the lead's own, whichever number was called. */
export const cadenceTypeOf = async (call: Call, lead: Lead | undefined): Promise<LeadType | undefined> => {
  const id = call.call_direction === 'inbound' ? (lead?.lead_type ?? null) : call.lead_type
  return id === null ? undefined : getLeadType(call.owner, id)
}

/** Fields whose errors come before `lead_type`: errors follow the order of the fields. */
const BEFORE = new Set(['id', 'phone_number', 'email', 'metadata', 'status', 'status_detail'])

/** Adds an error to a refused body when its lead type does not exist or belongs to another user. */
export const withLeadTypeErrors = async (
  owner: number,
  body: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): Promise<FieldErrors> => {
  const asked = v.safeParse(idField(), body['lead_type'])
  if (!asked.success || (await getLeadType(owner, asked.output))) return errors
  const entries = Object.entries(errors)
  const isBefore = ([field]: [string, unknown]) => BEFORE.has(field)
  return Object.fromEntries([
    ...entries.filter(isBefore),
    ['lead_type', [unknownId(asked.output)]],
    ...entries.filter((one) => !isBefore(one)),
  ])
}
