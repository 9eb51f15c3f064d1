import { nameOfState } from '#shared/location/rules/state.ts'
import { texts } from '../texts.ts'

const SENTENCES: ReadonlyMap<string, (hint: string, field: string) => string> = new Map(Object.entries(texts.create.warnings))

interface ShownWarning {
  readonly code: string
  readonly field?: string | undefined
  readonly hint?: string | undefined
}

/** A warning as a sentence. Only a warning that this console does not know is shown with its code. */
export const warningInWords = ({ code, field = '', hint = '' }: ShownWarning): string =>
  code === 'unknown_filter_field'
    ? texts.filter.unknownField(field, hint)
    : (SENTENCES.get(code)?.(code.endsWith('_state') ? nameOfState(hint) : hint, field) ?? texts.create.warning(code, field, hint))
