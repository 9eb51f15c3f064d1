import * as v from 'valibot'

/** What stands on the do-not-call list of the user's group against a phone number. */
export const DncEntryResponse = v.strictObject({
  phone_number: v.string(),
  call_dnc: v.boolean(),
  sms_dnc: v.boolean(),
})
