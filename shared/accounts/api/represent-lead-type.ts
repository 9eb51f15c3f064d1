import type { LeadType } from '../configuration.ts'

/** The Lead type object of the API. All other settings are only for the operator. */
export const representLeadType = ({ id, name, lead_metadata_fields }: LeadType) => ({ id, name, lead_metadata_fields })

/** Whether a name contains every word of a search, in any case. White space or commas separate words. */
export const hasInName = (search: string): ((leadType: Pick<LeadType, 'name'>) => boolean) => {
  const words = search.toLowerCase().split(/[\s,]+/)
  return ({ name }) => words.every((word) => name.toLowerCase().includes(word))
}
