import * as v from 'valibot'
import { type FieldErrors, invalid } from '../domain/errors.ts'
import type { LeadType } from '../schema/configuration.ts'
import { idField, unknownId } from '../schema/fields/number.ts'
import { getLeadType } from '../storage/lead-types.ts'

/** A lead type that a request names. @throws ServiceError under `lead_type` when it is none of the owner's */
export const namedLeadType = async (owner: number, asked: number): Promise<LeadType> => {
  const leadType = await getLeadType(owner, asked)
  if (!leadType) throw invalid({ lead_type: [unknownId(asked)] })
  return leadType
}

/** What is wrong with the lead type that a body names, told beside what else is wrong with it. */
export const leadTypeErrors = async (owner: number, body: Readonly<Record<string, unknown>>): Promise<FieldErrors> => {
  const asked = v.safeParse(idField(), body['lead_type'])
  return asked.success && !(await getLeadType(owner, asked.output)) ? { lead_type: [unknownId(asked.output)] } : {}
}
