import * as v from 'valibot'
import { isDictionary } from '../../http/fields/field.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'

/** Items of one bulk request, at most. */
export const MOST_ITEMS = 1000

const Leads = v.pipe(
  v.array(v.unknown(), 'The body must contain a `leads` list.'),
  v.maxLength(MOST_ITEMS, `Ensure this field has no more than ${MOST_ITEMS} elements.`),
)

const HasList = v.looseObject({ leads: v.array(v.unknown()) })

/**
 * The body of a bulk request: its items are checked one by one. A body that is no dictionary has no list either; without a list,
 * that alone is reported.
 */
export const BulkLeads = v.pipe(
  v.unknown(),
  v.transform((body) => (v.is(HasList, body) ? body : { leads: isDictionary(body) ? body['leads'] : undefined })),
  onlyFields({ leads: Leads }),
)
export type BulkLeads = v.InferOutput<typeof BulkLeads>

/** Why an item that is no object is refused. */
export const NOT_AN_OBJECT = 'Each lead must be a JSON object.'
