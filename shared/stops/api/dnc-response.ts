import * as v from 'valibot'

/** A phone number's entry on the do-not-call list of the user's group. */
export const DncEntryResponse = v.strictObject({
  phone_number: v.string(),
  call_dnc: v.boolean(),
  sms_dnc: v.boolean(),
})

export const DncLookUpResponse = v.strictObject({
  ...DncEntryResponse.entries,
  effective: v.pipe(
    v.strictObject({ call_dnc: v.boolean(), sms_dnc: v.boolean() }),
    v.description('What stands against the phone number in the group, whether it is on the list or a lead was told so.'),
  ),
})
