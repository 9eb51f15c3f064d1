import * as v from 'valibot'
import { DEFAULT_INGESTION_THROTTLE, Throttle } from '../accounts/configuration.ts'
import { absentAsNull, Id } from '../platform/values/values.ts'
import { FieldMapping } from './field-mapping.ts'
import { CONSENT_PREFIX, LOOKUPS, type Lookup } from './rules/target-fields.ts'

/** How leads in a provider's own format are taken in: files of a source, and requests to an ingestion URL. The operator configures both. */

const maps = (mapping: readonly FieldMapping[], field: string): boolean => mapping.some(({ to }) => to === field)

/** Whether an entry sets the type of a consent that names the seller. */
const mayNameSeller = ({ to, constant, values = {} }: FieldMapping): boolean =>
  to === `${CONSENT_PREFIX}type` && [constant, ...Object.values(values)].includes('written_seller')

/** Each field of a lead may have one entry. Several entries may merge objects into the metadata. */
export const Mapping = v.pipe(
  v.array(FieldMapping),
  v.minLength(1),
  v.check((mapping) => {
    const single = mapping.map(({ to }) => to).filter((to) => to !== 'metadata')
    return new Set(single).size === single.length
  }, 'A lead field is mapped twice. Name several sources in one `from`.'),
  v.check((mapping) => {
    const consent = mapping.filter(({ to }) => to.startsWith(CONSENT_PREFIX))
    return consent.length === 0 || ['type', 'time'].every((name) => maps(consent, `${CONSENT_PREFIX}${name}`))
  }, 'A mapping of a consent must map consent.type and consent.time.'),
  v.check(
    (mapping) => !mapping.some(mayNameSeller) || maps(mapping, `${CONSENT_PREFIX}seller`),
    'A mapping that sets consent.type to written_seller must map consent.seller too.',
  ),
)
export type Mapping = v.InferOutput<typeof Mapping>

/**
 * The lookup field that a column is mapped to. If a column is mapped to several lookup fields, only an entry of this column alone counts.
 * Undefined when no field is certain.
 */
export const lookupOf = (mapping: Mapping, column: string): Lookup | undefined => {
  const found = mapping.flatMap(({ to, from: names, join }) => {
    const lookup = LOOKUPS.find((name) => name === to)
    return lookup && names?.includes(column) ? [{ lookup, names, join }] : []
  })
  const [first, ...others] = found
  const isOnlyOne = others.length === 0 && first?.join === undefined
  return (found.find(({ names }) => names.length === 1) ?? (isOnlyOne ? first : undefined))?.lookup
}

/** `create` always creates leads; `upsert` updates the lead of a row or creates it; `update` only updates. */
export const SOURCE_MODES = ['create', 'upsert', 'update'] as const

const SourceName = v.pipe(v.string(), v.minLength(1), v.maxLength(50), v.regex(/^[a-zA-Z0-9_-]+$/))

export const Source = v.pipe(
  v.object({
    owner: Id,
    name: SourceName,
    /** Type of the leads that it creates. Null: the owner's default type. */
    lead_type: absentAsNull(Id),
    mode: v.picklist(SOURCE_MODES),
    /** A name of the column that identifies the lead of a row. Only `create` may leave it out. */
    lookup_column: absentAsNull(v.pipe(v.string(), v.minLength(1))),
    /** Each `from` has names of columns, which match loosely. */
    mapping: Mapping,
  }),
  v.forward(
    v.check(
      ({ mode, lookup_column, mapping }) => (lookup_column === null ? mode === 'create' : lookupOf(mapping, lookup_column) !== undefined),
      'The lookup column must be mapped to one of external_id, phone_number and email, without `join`. Only mode create works without one.',
    ),
    ['lookup_column'],
  ),
  v.forward(
    v.check(
      ({ mode, mapping }) => mode === 'update' || maps(mapping, 'phone_number'),
      'A mapping that creates leads must map phone_number.',
    ),
    ['mapping'],
  ),
)
export type Source = v.InferOutput<typeof Source>

export const IngestionUrl = v.object({
  /** In lower case. */
  id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  owner: Id,
  /** Type of the leads that it creates. Null: the owner's default type. */
  lead_type: absentAsNull(Id),
  /** Each `from` is a path: `contacts[0].phone`. */
  mapping: Mapping,
  /** Whether the owner's API key is required. */
  token_required: v.optional(v.boolean(), true),
  /** Rate limit for all requests without a token together. A request with a token counts against its owner's limit. */
  throttle: v.optional(Throttle, DEFAULT_INGESTION_THROTTLE),
})
export type IngestionUrl = v.InferOutput<typeof IngestionUrl>
