import * as v from 'valibot'

/** Describes the accepted work in one sentence. */
export const AcceptedWorkResponse = v.strictObject({ status: v.string() })
