import * as v from 'valibot'

/** A report of a voice agent was taken up. */
export const AcceptedResponse = v.strictObject({ status: v.literal('accepted') })

export const HealthyResponse = v.strictObject({ status: v.literal('ok') })

export const UnavailableResponse = v.strictObject({ status: v.literal('unavailable') })
