import * as v from 'valibot'
import type { Call } from '../calling/call.ts'
import { idField, unknownId } from '../http/fields/number.ts'
import type { Lead } from '../leads/lead.ts'
import { type FieldErrors, invalid } from '../platform/values/errors.ts'
import type { LeadType, User } from './configuration.ts'
import { knownLeadTypes } from './known-lead-types.ts'
import { getLeadType } from './lead-type-store.ts'
import { leadTypeHelp } from './rules/lead-type-help.ts'

const withHelp = async (owner: number, asked: unknown, message: string): Promise<string> =>
  `${message} ${leadTypeHelp(asked, await knownLeadTypes(owner))}`

/** The message for an id that is not one of the owner's lead types. It tells what they are. */
export const unknownLeadType = (owner: number, asked: number): Promise<string> => withHelp(owner, asked, unknownId(asked))

/** The lead type that a request names. @throws ServiceError under `lead_type` when the owner has no such lead type */
export const namedLeadType = async (owner: number, asked: number): Promise<LeadType> => {
  const leadType = await getLeadType(owner, asked)
  if (!leadType) throw invalid({ lead_type: [await unknownLeadType(owner, asked)] })
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

/** Adds an error to a refused body when its lead type does not exist or belongs to another user, and tells the lead types that exist. */
export const withLeadTypeErrors = async (
  owner: number,
  body: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): Promise<FieldErrors> => {
  const { lead_type } = body
  const [malformed] = errors['lead_type'] ?? []
  if (malformed !== undefined) return { ...errors, lead_type: [await withHelp(owner, lead_type, malformed)] }
  const asked = v.safeParse(idField(), lead_type)
  if (!asked.success || (await getLeadType(owner, asked.output))) return errors
  const entries = Object.entries(errors)
  const isBefore = ([field]: [string, unknown]) => BEFORE.has(field)
  return Object.fromEntries([
    ...entries.filter(isBefore),
    ['lead_type', [await unknownLeadType(owner, asked.output)]],
    ...entries.filter((one) => !isBefore(one)),
  ])
}
