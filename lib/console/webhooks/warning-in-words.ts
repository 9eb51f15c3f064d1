import type { ApiWarning } from '../../client/api-error.ts'
import { texts } from '../texts.ts'

/** A warning about a filter condition. */
export const warningInWords = ({ code, field = '', hint = '' }: ApiWarning): string =>
  code === 'unknown_filter_field' ? texts.filter.unknownField(field, hint) : texts.create.warning(code, field, hint)
