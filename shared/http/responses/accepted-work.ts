import * as v from 'valibot'

/** What was accepted, in a sentence. */
export const AcceptedWorkResponse = v.strictObject({ status: v.string() })
