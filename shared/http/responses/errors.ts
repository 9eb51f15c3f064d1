import * as v from 'valibot'

/** What is wrong with the request as a whole. */
export const DetailResponse = v.strictObject({ detail: v.string() })

/** What is wrong with fields: every message of every failing one. */
export const FieldErrorsResponse = v.pipe(
  v.record(v.string(), v.pipe(v.array(v.string()), v.minLength(1))),
  v.minEntries(1),
  v.metadata({ examples: [{ phone_number: ['This field is required.'] }] }),
)
