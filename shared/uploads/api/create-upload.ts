import type * as v from 'valibot'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { checkedTextField } from '../../http/fields/text.ts'
import { whyForeignName } from '../rules/file-names.ts'

/** Text that must match a pattern as a whole. `check` returns further errors. */
const patternField = (maxLength: number, pattern: RegExp, check: (text: string) => readonly string[] = () => []) =>
  checkedTextField({ maxLength }, (text) => (pattern.test(text) ? check(text) : ['This value does not match the required pattern.']), {
    pattern: pattern.source,
  })

/** Refuses the name before the upload, because a file with this name would not be read. */
const nameProblems = (filename: string): string[] => [whyForeignName(filename) ?? []].flat()

/** Name of a source. */
export const sourceField = patternField(50, /^[a-zA-Z0-9_-]+$/)

/** The body of a request for an upload: its source and its file name. */
export const CreateUpload = onlyFields({ source: sourceField, filename: patternField(255, /^[a-zA-Z0-9][a-zA-Z0-9_. -]*$/, nameProblems) })
export type CreateUpload = v.InferOutput<typeof CreateUpload>
