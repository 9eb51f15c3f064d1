import * as v from 'valibot'

/** Whether a webhook would fire. */
export const FilterCheckResponse = v.strictObject({ matches: v.boolean() })
