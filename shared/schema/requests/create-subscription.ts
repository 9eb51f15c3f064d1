import * as v from 'valibot'
import { choiceField, choicesField } from '../fields/choice.ts'
import { blankAsNull, Dictionary, field, fields, isDictionary, type Refusal, refuse } from '../fields/field.ts'
import { filterField } from '../fields/filter.ts'
import { notADictionary } from '../fields/metadata.ts'
import { destinationField } from '../fields/url.ts'
import { TRIGGERS, WEBHOOK_METHODS } from '../values.ts'

const DEFAULT_METHOD = 'POST'

const methodField = v.pipe(
  blankAsNull(choiceField(WEBHOOK_METHODS)),
  v.transform((method) => method ?? DEFAULT_METHOD),
)

/** Refused rather than ignored: a receiver that checks for a header of its own would turn every delivery away. */
const headersField = field(
  (value): Record<string, never> | Refusal => {
    if (!isDictionary(value)) return refuse(notADictionary(value))
    return Object.keys(value).length === 0 ? {} : refuse('Custom headers are not available yet.')
  },
  { type: 'object', additionalProperties: { type: 'string' } },
)

/** The body of a subscription's creation. */
export const CreateSubscription = v.pipe(
  Dictionary,
  fields({
    url: destinationField(),
    trigger: choicesField(TRIGGERS),
    method: v.optional(methodField, DEFAULT_METHOD),
    filter_condition: v.optional(filterField(), ''),
    headers: v.optional(v.nullable(headersField)),
  }),
)
export type CreateSubscription = v.InferOutput<typeof CreateSubscription>
