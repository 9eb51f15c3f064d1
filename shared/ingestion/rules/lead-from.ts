import * as v from 'valibot'
import { fieldErrors } from '../../http/fields/field.ts'
import { readUsState } from '../../location/rules/state.ts'
import { type FieldErrors, invalid } from '../../platform/values/errors.ts'
import type { Mapped } from './compile.ts'
import { CONSENT_PREFIX, METADATA_PREFIX } from './target-fields.ts'

const NON_FIELD = 'non_field_errors'

/** Metadata from several entries has no single name on the provider's side. */
const metadataOrigin = (origins: Mapped['origins']): string => {
  const whole = origins.get('metadata')
  const parts = [...origins].filter(([to]) => to.startsWith(METADATA_PREFIX)).map(([, origin]) => origin)
  const [first, ...others] = whole === undefined ? parts : [whole, ...parts]
  return first === undefined || others.length > 0 ? NON_FIELD : first
}

/** The message for a field of a consent. It begins with the name of the field. */
const OF_CONSENT = /^(?<name>\w+): (?<text>.*)$/s

/** Messages for a consent, each with the target that it is about. */
const consentMessages = (messages: readonly string[]): [field: string, messages: readonly string[]][] =>
  messages.map((message) => {
    const { name, text } = OF_CONSENT.exec(message)?.groups ?? {}
    return name === undefined || text === undefined ? ['consent', [message]] : [`${CONSENT_PREFIX}${name}`, [text]]
  })

/** Renames errors to the provider's field names. A field that the mapping does not name keeps its own. */
export const toProvider = (errors: FieldErrors, origins: Mapped['origins']): FieldErrors => {
  const merged = new Map<string, readonly string[]>()
  const entries = Object.entries(errors).flatMap(([field, messages]): [string, readonly string[]][] =>
    field === 'consent' ? consentMessages(messages) : [[field, messages]],
  )
  for (const [field, messages] of entries) {
    const origin = field === 'metadata' ? metadataOrigin(origins) : (origins.get(field) ?? field)
    merged.set(origin, [...new Set([...(merged.get(origin) ?? []), ...messages])])
  }
  return Object.fromEntries(merged)
}

/** The mapping's own error wins: a field that a transform refused must not also be reported as missing. */
const together = (mapped: FieldErrors, found: FieldErrors): FieldErrors =>
  Object.fromEntries([...Object.entries(found), ...Object.entries(mapped)])

/** Files and providers may name a state. The API takes only its code. */
const withStateCode = (values: Mapped['values']): Mapped['values'] => {
  const { us_state } = values
  const { value } = typeof us_state === 'string' ? readUsState(us_state) : {}
  return value === undefined ? values : { ...values, us_state: value }
}

/**
 * Parses the mapped values as a request for a lead.
 * @param schema of the request
 * @param leadType type of a lead that is created; null: the owner's default type
 * @throws ServiceError with validation errors under the provider's field names
 */
export const leadFrom = <S extends v.GenericSchema>(schema: S, mapped: Mapped, leadType: number | null): v.InferOutput<S> => {
  const { values, origins, errors } = mapped
  const result = v.safeParse(schema, { ...withStateCode(values), lead_type: leadType })
  if (result.success && Object.keys(errors).length === 0) return result.output
  throw invalid(together(errors, toProvider(fieldErrors(result.issues ?? []), origins)))
}
