import * as v from 'valibot'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { foldIntoMetadata } from './lead-fields.ts'
import { updateEntries } from './update-lead.ts'

/** Phone number and email say which lead is meant, and so cannot be changed by it. Without an email it is a lead without one. */
const entries = { ...updateEntries, phone_number: phoneField() }

/** The body of an update of the lead with a phone number and an email: partial, whatever the method. */
export const UpdateByMatch = v.pipe(
  Dictionary,
  v.transform(foldIntoMetadata(entries)),
  fields(entries),
  v.transform(({ phone_number, email, ...patch }) => ({ phone_number, email: email ?? null, patch })),
)
export type UpdateByMatch = v.InferOutput<typeof UpdateByMatch>
