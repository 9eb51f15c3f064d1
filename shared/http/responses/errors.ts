import * as v from 'valibot'

/** An error of the request as a whole. */
export const DetailResponse = v.strictObject({ detail: v.string() })

/** Errors of fields: all messages of all failing fields. */
export const FieldErrorsResponse = v.pipe(
  v.record(v.string(), v.pipe(v.array(v.string()), v.minLength(1))),
  v.minEntries(1),
  v.metadata({ examples: [{ phone_number: ['This field is required.'] }] }),
)
