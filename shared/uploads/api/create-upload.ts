import type * as v from 'valibot'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { checkedTextField } from '../../http/fields/text.ts'
import { whyForeignName } from '../rules/file-names.ts'

/** Text that fits a pattern as a whole. `check` names what else is wrong with it. */
const patternField = (maxLength: number, pattern: RegExp, check: (text: string) => readonly string[] = () => []) =>
  checkedTextField({ maxLength }, (text) => (pattern.test(text) ? check(text) : ['This value does not match the required pattern.']), {
    pattern: pattern.source,
  })

/** A file that would not be read need not be sent. */
const nameProblems = (filename: string): string[] => [whyForeignName(filename) ?? []].flat()

/** Name of a source. */
export const sourceField = patternField(50, /^[a-zA-Z0-9_-]+$/)

/** A file that is going to be uploaded: to which source, and under which name. */
export const CreateUpload = onlyFields({ source: sourceField, filename: patternField(255, /^[a-zA-Z0-9][a-zA-Z0-9_. -]*$/, nameProblems) })
export type CreateUpload = v.InferOutput<typeof CreateUpload>
