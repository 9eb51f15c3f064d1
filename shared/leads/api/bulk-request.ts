import * as v from 'valibot'
import { isDictionary } from '../../http/fields/field.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'

/** The most items in one bulk request. */
export const MOST_ITEMS = 1000

const Leads = v.pipe(
  v.array(v.unknown(), 'The body must contain a `leads` list.'),
  v.maxLength(MOST_ITEMS, `Ensure this field has no more than ${MOST_ITEMS} elements.`),
)

const HasList = v.looseObject({ leads: v.array(v.unknown()) })

/** The body of a bulk request. Its items are checked later, one by one. When the list is missing, only that error is reported. */
export const BulkLeads = v.pipe(
  v.unknown(),
  v.transform((body) => (v.is(HasList, body) ? body : { leads: isDictionary(body) ? body['leads'] : undefined })),
  onlyFields({ leads: Leads }),
)
export type BulkLeads = v.InferOutput<typeof BulkLeads>

/** The error for an item that is not an object. */
export const NOT_AN_OBJECT = 'Each lead must be a JSON object.'
