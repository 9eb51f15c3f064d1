import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { integerField } from '../../http/fields/number.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { foldIntoMetadata, leadFields, stopFields } from './lead-fields.ts'

const entries = {
  phone_number: phoneField(),
  ...leadFields,
  call_schedule_start_time: v.optional(v.nullable(dateTimeField())),
  min_reengagement_days: v.optional(integerField({ min: 0 })),
  ...stopFields,
}

/** The body of a lead's creation. Fields that were not sent are undefined. */
export const CreateLead = v.pipe(Dictionary, v.transform(foldIntoMetadata(entries)), fields(entries))
export type CreateLead = v.InferOutput<typeof CreateLead>

const upsertEntries = { ...entries, phone_number: v.optional(phoneField()) }

/** A create whose lead may exist already. The lead may be found by another field than the phone number. */
export const UpsertLead = v.pipe(Dictionary, v.transform(foldIntoMetadata(upsertEntries)), fields(upsertEntries))
export type UpsertLead = v.InferOutput<typeof UpsertLead>
