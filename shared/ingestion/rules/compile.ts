import { unknownChoice } from '../../http/fields/choice.ts'
import { isDictionary, Refusal, refuse } from '../../http/fields/field.ts'
import { notADictionary } from '../../http/fields/metadata.ts'
import type { FieldErrors } from '../../platform/values/errors.ts'
import type { FieldMapping, Scalar } from '../field-mapping.ts'
import type { Mapping } from '../ingestion.ts'
import type { Read } from './path.ts'
import { CONSENT_PREFIX, METADATA_PREFIX } from './target-fields.ts'
import { compileTransforms } from './transforms.ts'

export interface Mapped {
  /** Fields of a lead in the format of a create request, not validated yet. Only fields with a value. */
  readonly values: Readonly<Record<string, unknown>>
  /** The provider's name for each lead field and each `metadata.<key>`. */
  readonly origins: ReadonlyMap<string, string>
  /** Keyed by the provider's names. */
  readonly errors: FieldErrors
}

/** Blank text counts as no value. */
const isPresent = (value: unknown): boolean => value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')

interface Found {
  /** The provider's name for the value. When no place has a value: the first place. */
  readonly origin: string
  /** Undefined when no place has a value. */
  readonly value: unknown
}

const joined = (found: readonly Found[], separator: string): unknown => {
  const items = found.flatMap(({ value }): unknown[] => (Array.isArray(value) ? value : [value])).filter(isPresent)
  if (items.some((item) => typeof item === 'object')) return refuse('Not a valid string.')
  return items.map((item) => String(item).trim()).join(separator)
}

const find = ({ from = [], join }: FieldMapping, read: Read): Found => {
  const found = from.map((origin) => ({ origin, value: read(origin) })).filter(({ value }) => isPresent(value))
  const [first = { origin: from[0] ?? '', value: undefined }] = found
  return join === undefined || found.length === 0 ? first : { ...first, value: joined(found, join) }
}

const wordOf = (value: unknown): string => String(value).trim().toLowerCase()

const compileValues = ({ values, otherwise }: FieldMapping) => {
  if (!values) return (value: unknown): unknown => value
  const words = new Map<string, Scalar>(Object.entries(values).map(([word, value]) => [wordOf(word), value]))
  return (value: unknown): unknown => {
    const known = typeof value === 'object' ? undefined : words.get(wordOf(value))
    if (known !== undefined || otherwise === 'drop') return known
    return otherwise === 'keep' ? value : refuse(unknownChoice(value, Object.keys(values)))
  }
}

/** @returns a function that computes an entry's value from the input; the value is undefined when there is none */
const compileEntry = (entry: FieldMapping): ((read: Read) => Found) => {
  const { to, constant, transforms, required } = entry
  if (constant !== undefined) return () => ({ origin: to, value: constant })
  const change = compileTransforms(transforms)
  const named = compileValues(entry)
  return (read) => {
    const { origin, value: sent } = find(entry, read)
    const changed = sent === undefined || sent instanceof Refusal ? sent : change(sent)
    const value = isPresent(changed) && !(changed instanceof Refusal) ? named(changed) : changed
    if (!isPresent(value)) return { origin, value: required ? refuse('This field is required.') : undefined }
    return {
      origin,
      value: to === 'metadata' && !(value instanceof Refusal || isDictionary(value)) ? refuse(notADictionary(value)) : value,
    }
  }
}

/** Compiles a mapping once, for any number of leads. The result reads its input through `read`, one place at a time. */
export const compileMapping = (mapping: Mapping): ((read: Read) => Mapped) => {
  const entries = mapping.map((entry) => ({ to: entry.to, isConstant: entry.constant !== undefined, run: compileEntry(entry) }))
  return (read) => {
    const values = new Map<string, unknown>()
    const metadata = new Map<string, unknown>()
    const consent = new Map<string, unknown>()
    let hasConsent = false
    const origins = new Map<string, string>()
    const errors = new Map<string, readonly string[]>()
    for (const { to, isConstant, run } of entries) {
      const { origin, value } = run(read)
      if (!isConstant) origins.set(to, origin)
      if (value instanceof Refusal) errors.set(origin, [...new Set([...(errors.get(origin) ?? []), ...value.messages])])
      else if (value === undefined) continue
      else if (to === 'metadata' && isDictionary(value)) for (const [key, item] of Object.entries(value)) metadata.set(key, item)
      else if (to.startsWith(METADATA_PREFIX)) metadata.set(to.slice(METADATA_PREFIX.length), value)
      else if (to.startsWith(CONSENT_PREFIX)) {
        consent.set(to.slice(CONSENT_PREFIX.length), value)
        hasConsent ||= !isConstant
      } else values.set(to, value)
    }
    // Constants alone say nothing about this person. `type: null` makes the schema report a missing type.
    if (hasConsent) values.set('consent', { type: null, ...Object.fromEntries(consent) })
    if (metadata.size > 0) values.set('metadata', Object.fromEntries(metadata))
    return { values: Object.fromEntries(values), origins, errors: Object.fromEntries(errors) }
  }
}
