import type { LeadType } from '../configuration.ts'

/** The Lead type object of the interface: what else there is to it is the operator's. */
export const representLeadType = ({ id, name, lead_metadata_fields }: LeadType) => ({ id, name, lead_metadata_fields })

/** Whether a name has every word of a search in it, in any case; words are parted by white space or commas. */
export const hasInName = (search: string): ((leadType: Pick<LeadType, 'name'>) => boolean) => {
  const words = search.toLowerCase().split(/[\s,]+/)
  return ({ name }) => words.every((word) => name.toLowerCase().includes(word))
}
