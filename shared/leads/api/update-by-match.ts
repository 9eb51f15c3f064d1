import * as v from 'valibot'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { foldIntoMetadata } from './lead-fields.ts'
import { updateEntries } from './update-lead.ts'

/** Phone number and email identify the lead, so the update cannot change them. Without an email, it means the lead without one. */
const entries = { ...updateEntries, phone_number: phoneField() }

/** The body of an update that finds its lead by phone number and email. It is partial with every method. */
export const UpdateByMatch = v.pipe(
  Dictionary,
  v.transform(foldIntoMetadata(entries)),
  fields(entries),
  v.transform(({ phone_number, email, ...patch }) => ({ phone_number, email: email ?? null, patch })),
)
export type UpdateByMatch = v.InferOutput<typeof UpdateByMatch>
