import type { ApiWarning } from '../../client/api-error.ts'
import { texts } from '../texts.ts'

const SENTENCES: ReadonlyMap<string, (hint: string, field: string) => string> = new Map(Object.entries(texts.create.warnings))

/** A warning as a sentence. Only a warning that this console does not know is shown with its code. */
export const warningInWords = ({ code, field = '', hint = '' }: ApiWarning): string =>
  code === 'unknown_filter_field'
    ? texts.filter.unknownField(field, hint)
    : (SENTENCES.get(code)?.(hint, field) ?? texts.create.warning(code, field, hint))
