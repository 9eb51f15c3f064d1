import * as v from 'valibot'
import { Id } from '../../platform/values/values.ts'

const MetadataField = v.strictObject({
  key: v.pipe(v.string(), v.description('The metadata key to send.')),
  label: v.string(),
  helpText: v.string(),
  type: v.pipe(v.string(), v.metadata({ examples: ['string', 'number'] })),
  required: v.boolean(),
})

/** A lead type as clients see it. */
export const LeadTypeResponse = v.strictObject({ id: Id, name: v.string(), lead_metadata_fields: v.array(MetadataField) })
