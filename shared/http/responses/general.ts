import * as v from 'valibot'
import { LEAD_STATUSES } from '../../platform/values/values.ts'
import { Count } from './values.ts'

/** Describes the accepted work in one sentence. */
export const AcceptedWorkResponse = v.strictObject({ status: v.string() })

/** An error of the request as a whole. */
export const DetailResponse = v.strictObject({ detail: v.string() })

/** Errors of fields: all messages of all failing fields. */
export const FieldErrorsResponse = v.pipe(
  v.record(v.string(), v.pipe(v.array(v.string()), v.minLength(1))),
  v.minEntries(1),
  v.metadata({ examples: [{ phone_number: ['This field is required.'] }] }),
)

const Link = v.nullable(v.pipe(v.string(), v.url()))

/** One page of a list. */
export const pageResponse = <S extends v.GenericSchema>(item: S) =>
  v.strictObject({ count: Count, next: Link, previous: Link, results: v.array(item) })

/** The answer to a voice agent's report that was accepted. It includes the person's stops and the lead's status. */
export const AcceptedResponse = v.strictObject({
  status: v.literal('accepted'),
  call_dnc: v.boolean(),
  sms_dnc: v.boolean(),
  lead_status: v.picklist(LEAD_STATUSES),
  cancel: v.pipe(v.boolean(), v.description('True: end the call. The person must not be called any more, or somebody withdrew the lead.')),
})

export const HealthyResponse = v.strictObject({ status: v.literal('ok') })

export const UnavailableResponse = v.strictObject({ status: v.literal('unavailable') })
