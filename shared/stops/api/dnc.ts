import * as v from 'valibot'
import { booleanField } from '../../http/fields/choice.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { phoneField } from '../../http/fields/phone.ts'

/** A phone number to enter on the do-not-contact list of the user's group. */
export const EnterOnList = v.pipe(
  onlyFields({ phone_number: phoneField(), call_dnc: v.optional(booleanField(), true), sms_dnc: v.optional(booleanField(), true) }),
  v.check(({ call_dnc, sms_dnc }) => call_dnc || sms_dnc, 'At least one of call_dnc and sms_dnc must be true.'),
)

export const DncLookUpResponse = v.strictObject({
  phone_number: v.string(),
  call_dnc: v.boolean(),
  sms_dnc: v.boolean(),
  effective: v.pipe(
    v.strictObject({ call_dnc: v.boolean(), sms_dnc: v.boolean() }),
    v.description('All flags of the phone number in the group: from the list, or set on a lead.'),
  ),
})

/** A phone number's entry on the do-not-contact list of the user's group. */
export const DncEntryResponse = v.omit(DncLookUpResponse, ['effective'])
