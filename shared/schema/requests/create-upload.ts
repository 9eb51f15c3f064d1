import * as v from 'valibot'
import { Dictionary, fields } from '../fields/field.ts'
import { checkedTextField } from '../fields/text.ts'

/** Text that fits a pattern as a whole. */
const patternField = (maxLength: number, pattern: RegExp) =>
  checkedTextField({ maxLength }, (text) => (pattern.test(text) ? [] : ['This value does not match the required pattern.']), {
    pattern: pattern.source,
  })

/** Name of a source. */
export const sourceField = patternField(50, /^[a-zA-Z0-9_-]+$/)

/** A file that is going to be uploaded: to which source, and under which name. */
export const CreateUpload = v.pipe(
  Dictionary,
  fields({ source: sourceField, filename: patternField(255, /^[a-zA-Z0-9][a-zA-Z0-9_. -]*$/) }),
)
export type CreateUpload = v.InferOutput<typeof CreateUpload>
