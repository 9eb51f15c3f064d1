import { representLead } from '../api/lead-response.ts'
import type { Lead } from '../lead.ts'

/** The name of a lead's representative, from a lead field or else a metadata key. Null when neither has a value. */
export const representativeOf = (lead: Lead, field: string): unknown => {
  const fields = new Map<string, unknown>(Object.entries(representLead(lead)))
  return fields.get(field) ?? new Map(Object.entries(lead.metadata)).get(field) ?? null
}
