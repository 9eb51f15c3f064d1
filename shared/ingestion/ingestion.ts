import * as v from 'valibot'
import { DEFAULT_INGESTION_THROTTLE, Throttle } from '../accounts/configuration.ts'
import { absentAsNull, Id } from '../platform/values/values.ts'
import { FieldMapping } from './field-mapping.ts'

/** How leads of foreign shapes come in: files of a source, requests to an ingestion URL. The operator sets them up. */

/** Each field of a lead has one entry at most; of a whole object to merge into the metadata there may be several. */
const Mapping = v.pipe(
  v.array(FieldMapping),
  v.minLength(1),
  v.check((mapping) => {
    const single = mapping.map(({ to }) => to).filter((to) => to !== 'metadata')
    return new Set(single).size === single.length
  }, 'No field of a lead may be mapped twice; name several places in one `from`.'),
)
export type Mapping = v.InferOutput<typeof Mapping>

/** By what a lead is looked up, in this order when by all. */
export const LOOKUPS = ['external_id', 'phone_number', 'email'] as const
export type Lookup = (typeof LOOKUPS)[number]

/** The field that a column gives by itself, when a lead can be looked up by it. */
export const lookupOf = (mapping: Mapping, column: string): Lookup | undefined => {
  const entry = mapping.find(({ to, from }) => LOOKUPS.some((name) => name === to) && from?.length === 1 && from[0] === column)
  return LOOKUPS.find((name) => name === entry?.to)
}

const maps = (mapping: Mapping, field: string): boolean => mapping.some(({ to }) => to === field)

/** What becomes of a file: `create` makes leads of rows, `upsert` updates the one that is there, `update` only that. */
const SOURCE_MODES = ['create', 'upsert', 'update'] as const

const SourceName = v.pipe(v.string(), v.minLength(1), v.maxLength(50), v.regex(/^[a-zA-Z0-9_-]+$/))

export const Source = v.pipe(
  v.object({
    owner: Id,
    name: SourceName,
    /** Of the leads that it makes; null: their owner's default one. */
    lead_type: absentAsNull(Id),
    mode: v.picklist(SOURCE_MODES),
    /** Its value names the lead of a row. Only `create` does without. */
    lookup_column: absentAsNull(v.pipe(v.string(), v.minLength(1))),
    /** Its places are columns, literally. */
    mapping: Mapping,
  }),
  v.forward(
    v.check(
      ({ mode, lookup_column, mapping }) => (lookup_column === null ? mode === 'create' : lookupOf(mapping, lookup_column) !== undefined),
      'The lookup column is to be mapped to external_id, phone_number or email by itself; only the mode create does without.',
    ),
    ['lookup_column'],
  ),
  v.forward(
    v.check(({ mode, mapping }) => mode === 'update' || maps(mapping, 'phone_number'), 'What creates leads is to map phone_number.'),
    ['mapping'],
  ),
)
export type Source = v.InferOutput<typeof Source>

export const IngestionUrl = v.object({
  /** In lower case. */
  id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  owner: Id,
  /** Of the leads that it makes; null: their owner's default one. */
  lead_type: absentAsNull(Id),
  /** Its places are paths: `contacts[0].phone`. */
  mapping: Mapping,
  /** Whether its owner's API key is asked for. */
  token_required: v.optional(v.boolean(), true),
  /** What it takes without a token, whoever sends it. With one, the requests are counted as its owner's. */
  throttle: v.optional(Throttle, DEFAULT_INGESTION_THROTTLE),
})
export type IngestionUrl = v.InferOutput<typeof IngestionUrl>
