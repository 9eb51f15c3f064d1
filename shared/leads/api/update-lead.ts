import * as v from 'valibot'
import { choiceField } from '../../http/fields/choice.ts'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { STATUS_DETAILS } from '../../platform/values/values.ts'
import { foldIntoMetadata, leadFields, stopFields } from './lead-fields.ts'

const { email, metadata, status, ...others } = leadFields

/** In the order in which errors are reported. */
export const updateEntries = {
  email,
  phone_number: v.optional(phoneField()),
  metadata,
  status,
  /** Nullable, so that a client may send a lead back as it received it. */
  status_detail: v.optional(v.nullable(choiceField(STATUS_DETAILS))),
  ...others,
  ...stopFields,
}

/** The body of a lead's update. Fields that were not sent are undefined and stay unchanged. */
export const UpdateLead = v.pipe(Dictionary, v.transform(foldIntoMetadata(updateEntries)), fields(updateEntries))
export type UpdateLead = v.InferOutput<typeof UpdateLead>
