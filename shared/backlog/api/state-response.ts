import * as v from 'valibot'
import { LEAD_STATUSES } from '../../platform/values/values.ts'

/** The answer to a voice agent's report that was accepted. It includes the person's stops and the lead's status. */
export const AcceptedResponse = v.strictObject({
  status: v.literal('accepted'),
  call_dnc: v.boolean(),
  sms_dnc: v.boolean(),
  lead_status: v.picklist(LEAD_STATUSES),
  cancel: v.pipe(
    v.boolean(),
    v.description('The call is to be ended: the person must not be called any more, or somebody withdrew the lead.'),
  ),
})

export const HealthyResponse = v.strictObject({ status: v.literal('ok') })

export const UnavailableResponse = v.strictObject({ status: v.literal('unavailable') })
