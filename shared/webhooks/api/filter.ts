import * as v from 'valibot'
import { field, isDictionary, type Refusal, refuse } from '../../http/fields/field.ts'
import { bytesOf, isDeeperThan, notADictionary } from '../../http/fields/metadata.ts'
import { idField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { checkedTextField } from '../../http/fields/text.ts'
import { FilterError } from '../rules/filter/filter-error.ts'
import { MAX_CHARACTERS, parseFilter } from '../rules/filter/parse.ts'

const problems = (text: string): readonly string[] => {
  try {
    parseFilter(text)
    return []
  } catch (error) {
    if (error instanceof FilterError) return [error.message]
    throw error
  }
}

/** A filter condition. A blank one always fires. Positions are counted after trimming. */
export const filterField = () =>
  checkedTextField({ allowBlank: true, maxLength: MAX_CHARACTERS }, problems, {
    description: "`has('a.b')`, `get('a.b', default)`, `a.b`, `a['b']`, `==`, `!=`, `and`, `or`, parentheses. Blank always fires.",
    examples: ["last_chat['is_contact'] == true and metadata.us_state != 'NY'", "has('external_id')", ''],
  })

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
  { type: 'object', description: 'The payload of a webhook, or a made-up one.' },
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

/** Whether a webhook would fire. */
export const FilterCheckResponse = v.strictObject({ matches: v.boolean() })
