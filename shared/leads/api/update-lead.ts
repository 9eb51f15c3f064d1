import * as v from 'valibot'
import { choiceField } from '../../http/fields/choice.ts'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { STATUS_DETAILS } from '../../platform/values/values.ts'
import { foldIntoMetadata, leadFields, stopFields } from './lead-fields.ts'

const { email, metadata, status, ...others } = leadFields

/** In the order in which their errors are reported. */
export const updateEntries = {
  email,
  phone_number: v.optional(phoneField()),
  metadata,
  status,
  /** Null, so that a lead may be sent back as it was shown. */
  status_detail: v.optional(v.nullable(choiceField(STATUS_DETAILS))),
  ...others,
  ...stopFields,
}

/** The body of a lead's update. What was not sent is undefined, and stays as it is. */
export const UpdateLead = v.pipe(Dictionary, v.transform(foldIntoMetadata(updateEntries)), fields(updateEntries))
export type UpdateLead = v.InferOutput<typeof UpdateLead>
