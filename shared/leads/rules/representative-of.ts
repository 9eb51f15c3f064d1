import { representLead } from '../api/represent-lead.ts'
import type { Lead } from '../lead.ts'

/** What names a lead's representative: a field of the lead, or else a key of its metadata. Null when nothing does. */
export const representativeOf = (lead: Lead, field: string): unknown => {
  const fields = new Map<string, unknown>(Object.entries(representLead(lead)))
  return fields.get(field) ?? new Map(Object.entries(lead.metadata)).get(field) ?? null
}
