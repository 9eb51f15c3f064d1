import * as v from 'valibot'
import { CONSENT_FIELD_NAMES } from '../consents/rules/field-names.ts'
import { fieldErrors } from '../http/fields/field.ts'
import { isEcho } from '../http/fields/metadata.ts'
import { CreateLead } from '../leads/api/lead-request.ts'
import { DESCRIPTIVE_FIELDS } from '../leads/rules/lead-fields.ts'
import { CONSENT_PREFIX, METADATA_PREFIX } from './rules/target-fields.ts'

/** Fields of a lead that a mapping may set. The lead type is not one: the configuration sets it. */
const MAPPED_FIELDS = [...DESCRIPTIVE_FIELDS, 'status', 'call_schedule_start_time', 'call_dnc', 'sms_dnc'] as const

const MetadataKey = v.pipe(
  v.string(),
  v.regex(/^metadata\.[^.]+$/, 'Expected a lead field, `consent.<field>`, `metadata.<key>` or `metadata`.'),
  v.check(
    (to) => !isEcho(to.slice(METADATA_PREFIX.length)),
    ({ input }) => `${input} repeats another field in responses, and cannot be stored.`,
  ),
)

const CONSENT_TARGETS = CONSENT_FIELD_NAMES.map((name) => `${CONSENT_PREFIX}${name}` as const)

/**
 * Where the value goes: a field of the lead, a field of its consent, a metadata key, or the metadata itself. An object is merged into the
 * metadata.
 */
const Target = v.union(
  [v.picklist([...MAPPED_FIELDS, ...CONSENT_TARGETS]), v.literal('metadata'), MetadataKey],
  (issue) => issue.issues?.map(({ message }) => message).at(-1) ?? 'Expected a lead field.',
)

const Place = v.pipe(v.string(), v.minLength(1))

/** One place or several. The first place with a value wins, unless `join` combines them. */
const Places = v.pipe(
  v.union([Place, v.pipe(v.array(Place), v.minLength(1))]),
  v.transform((places): string[] => (typeof places === 'string' ? [places] : places)),
)

const Scalar = v.union([v.string(), v.number(), v.boolean()])
export type Scalar = v.InferOutput<typeof Scalar>

/** Transforms without parameters. `number` reads `$1,250.50`; `first_name` and `last_name` split a full name. */
export const TRANSFORM_NAMES = [
  ...(['trim', 'lower', 'upper', 'capitalize', 'digits', 'boolean', 'number', 'first_name', 'last_name'] as const),
]

/** `YYYY`, `YY`, `MM`, `M`, `DD`, `D`, `HH`, `H`, `hh`, `h`, `mm`, `ss` and `A` (AM or PM) with separators between them. */
const DATE_PATTERN = /^(?=.*(?:YYYY|YY))(?=.*M)(?=.*D)[YMDHhmsAT\s/.,:_-]+$/
/** Letters with a meaning in a format, and the `T` between date and time. */
const DATE_TOKENS = ['YYYY', 'YY', 'MM', 'M', 'DD', 'D', 'HH', 'H', 'hh', 'h', 'mm', 'ss', 'A', 'T']

const isDatePattern = (format: string): boolean =>
  DATE_PATTERN.test(format) && (format.match(/([A-Za-z])\1*/g) ?? []).every((token) => DATE_TOKENS.includes(token))

const DateFormat = v.pipe(
  v.string(),
  v.check(
    (format) => format === 'ISO' || format === 'epoch' || isDatePattern(format),
    'A date format is ISO, epoch (seconds or milliseconds), or consists of YYYY, YY, MM, M, DD, D, HH, H, hh, h, mm, ss and A.',
  ),
)

/** The first format that matches wins. The result is ISO 8601. A time without an offset is UTC. */
const DateTransform = v.object({
  date: v.pipe(
    v.union([DateFormat, v.pipe(v.array(DateFormat), v.minLength(1))]),
    v.transform((formats): string[] => (typeof formats === 'string' ? [formats] : formats)),
  ),
})

const Transform = v.union([v.picklist(TRANSFORM_NAMES), DateTransform])
export type Transform = v.InferOutput<typeof Transform>

const Entry = v.object({
  to: v.pipe(
    Target,
    v.description('Target of the value: a lead field, `consent.<field>`, `metadata.<key>`, or `metadata`, into which an object is merged.'),
  ),
  from: v.pipe(
    v.optional(Places),
    v.description(
      'Sources of the value: paths of a payload, or alternative names of a column. The first one with a value counts. Names of columns match without case, and with spaces and underscores alike.',
    ),
  ),
  constant: v.optional(v.pipe(Scalar, v.description('A fixed value, instead of `from`.'))),
  join: v.optional(
    v.pipe(
      v.string(),
      v.description('Separator between the values of all sources that have one, in their order. A list is joined item by item.'),
    ),
  ),
  transforms: v.optional(v.pipe(v.array(Transform), v.description('Applied in this order.')), []),
  values: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(), v.minLength(1)), Scalar),
      v.description(
        'Replaces values after the transforms. Values are compared as text, without case and surrounding white space. A blank replacement leaves the field out.',
      ),
    ),
  ),
  otherwise: v.optional(
    v.pipe(v.picklist(['keep', 'drop', 'reject']), v.description('What happens to a value that `values` does not name.')),
    'keep',
  ),
  required: v.optional(v.pipe(v.boolean(), v.description('Whether the payload or row must have the value.')), false),
})

const SOME_PHONE = '+12125550123'

const SOME_CONSENT = { type: 'written_seller', time: '2026-01-01', seller: 'Seller' }

/** Why a lead cannot take a value that the configuration sets. */
const complaint = (to: string, value: Scalar): string | undefined => {
  if (to.startsWith(METADATA_PREFIX)) return undefined
  const set = to.startsWith(CONSENT_PREFIX) ? { consent: { ...SOME_CONSENT, [to.slice(CONSENT_PREFIX.length)]: value } } : { [to]: value }
  const { issues } = v.safeParse(CreateLead, { phone_number: SOME_PHONE, ...set })
  return issues && `${to}: ${Object.values(fieldErrors(issues)).flat().join(' ')}`
}

/** How one field of a lead is computed from a provider's payload or row. */
export const FieldMapping = v.pipe(
  Entry,
  v.check(({ from, constant }) => from !== undefined || constant !== undefined, 'Either `from` or `constant` is required.'),
  v.check(({ from, constant }) => from === undefined || constant === undefined, 'Give `from` or `constant`, not both.'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { to, constant, values = {} } = dataset.value
    for (const value of [...(constant === undefined ? [] : [constant]), ...Object.values(values).filter((value) => value !== '')]) {
      const message = complaint(to, value)
      if (message !== undefined) addIssue({ message })
    }
  }),
)
export type FieldMapping = v.InferOutput<typeof FieldMapping>
