import * as v from 'valibot'
import { Id } from '../../platform/values/values.ts'
import type { LeadType } from '../configuration.ts'

const MetadataField = v.strictObject({
  key: v.pipe(v.string(), v.description('The key of the value in the `metadata` of a lead.')),
  label: v.string(),
  helpText: v.string(),
  type: v.pipe(v.string(), v.metadata({ examples: ['string', 'number'] })),
  required: v.boolean(),
})

/** A lead type as clients see it. */
export const LeadTypeResponse = v.strictObject({ id: Id, name: v.string(), lead_metadata_fields: v.array(MetadataField) })

/** The Lead type object of the API. All other settings are only for the operator. */
export const representLeadType = ({ id, name, lead_metadata_fields }: LeadType): v.InferOutput<typeof LeadTypeResponse> => ({
  id,
  name,
  lead_metadata_fields,
})

/** Whether a name contains every word of a search, in any case. White space or commas separate words. */
export const hasInName = (search: string): ((leadType: Pick<LeadType, 'name'>) => boolean) => {
  const words = search.toLowerCase().split(/[\s,]+/)
  return ({ name }) => words.every((word) => name.toLowerCase().includes(word))
}
