import * as v from 'valibot'
import { field, isDictionary, type Refusal, refuse } from '../../http/fields/field.ts'
import { bytesOf, isDeeperThan, notADictionary } from '../../http/fields/metadata.ts'
import { idField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { filterField } from './filter-field.ts'

/** Larger than any event. */
export const MAX_SAMPLE_BYTES = 256 * 1024
export const MAX_SAMPLE_DEPTH = 32

const NOT_ONE = 'Exactly one of payload, lead_id is required.'

const payloadField = field(
  (value): Record<string, unknown> | Refusal => {
    if (!isDictionary(value)) return refuse(notADictionary(value))
    if (isDeeperThan(value, MAX_SAMPLE_DEPTH)) return refuse(`Ensure this field has no more than ${MAX_SAMPLE_DEPTH} levels of nesting.`)
    return bytesOf(value) > MAX_SAMPLE_BYTES ? refuse(`Ensure this field has no more than ${MAX_SAMPLE_BYTES} bytes of JSON.`) : value
  },
  { type: 'object', description: 'Of a webhook, or what might be one.' },
)

/** The body of a filter check, against a payload or a lead. */
export const CheckFilter = v.pipe(
  onlyFields({
    filter_condition: filterField(),
    payload: v.optional(v.nullable(payloadField)),
    lead_id: v.optional(v.nullable(idField())),
  }),
  v.check(({ payload, lead_id }) => [payload, lead_id].filter((one) => (one ?? null) !== null).length === 1, NOT_ONE),
)
