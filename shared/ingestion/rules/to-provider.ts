import type { FieldErrors } from '../../platform/values/errors.ts'
import { METADATA_PREFIX } from '../field-mapping.ts'
import type { Mapped } from './compile.ts'

const NON_FIELD = 'non_field_errors'

/** Metadata from several entries has no single name on the provider's side. */
const metadataOrigin = (origins: Mapped['origins']): string => {
  const whole = origins.get('metadata')
  const parts = [...origins].filter(([to]) => to.startsWith(METADATA_PREFIX)).map(([, origin]) => origin)
  const [first, ...others] = whole === undefined ? parts : [whole, ...parts]
  return first === undefined || others.length > 0 ? NON_FIELD : first
}

/** Renames errors to the provider's field names. A field that the mapping does not name keeps its own. */
export const toProvider = (errors: FieldErrors, origins: Mapped['origins']): FieldErrors => {
  const told = new Map<string, readonly string[]>()
  for (const [field, messages] of Object.entries(errors)) {
    const origin = field === 'metadata' ? metadataOrigin(origins) : (origins.get(field) ?? field)
    told.set(origin, [...new Set([...(told.get(origin) ?? []), ...messages])])
  }
  return Object.fromEntries(told)
}
