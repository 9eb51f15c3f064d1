import * as v from 'valibot'
import { booleanField, choiceField } from '../fields/choice.ts'
import { dateTimeField } from '../fields/date-time.ts'
import { emailField } from '../fields/email.ts'
import { blankAsNull, Dictionary, fields, isDictionary } from '../fields/field.ts'
import { metadataField } from '../fields/metadata.ts'
import { idField, integerField } from '../fields/number.ts'
import { phoneField } from '../fields/phone.ts'
import { charField } from '../fields/text.ts'
import { LEAD_STATUSES, US_STATES } from '../values.ts'

const entries = {
  phone_number: phoneField(),
  email: v.optional(blankAsNull(emailField())),
  metadata: v.optional(v.nullable(metadataField())),
  status: v.optional(choiceField(LEAD_STATUSES)),
  lead_type: v.optional(blankAsNull(idField())),
  representative: v.optional(v.nullable(integerField({ min: 1 }))),
  external_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
  us_state: v.optional(blankAsNull(choiceField(US_STATES))),
  lead_source: v.optional(charField({ maxLength: 255, allowBlank: true })),
  call_schedule_start_time: v.optional(v.nullable(dateTimeField())),
  min_reengagement_days: v.optional(integerField({ min: 0 })),
  /** A stop is taken from whatever brings it, a new lead as well. */
  sms_dnc: v.optional(booleanField()),
  call_dnc: v.optional(booleanField()),
}

/** Fields of a lead that only the service sets, and those that older clients still send. */
const DROPPED = [
  ...['id', 'modified_time', 'created_time', 'status_detail', 'status_reason', 'next_call_time', 'next_call_time_reason'],
  ...['received_time', 'reengagements_count', 'last_reengagement_time', 'reengagement_count', 'reengagement_time'],
]

const TOP_LEVEL = new Set([...Object.keys(entries), ...DROPPED])

/** Every key that is no field of a lead goes into its metadata, where the key of the same name in `metadata` wins. */
const foldIntoMetadata = (body: Record<string, unknown>): Record<string, unknown> => {
  const extra = Object.entries(body).filter(([key]) => !TOP_LEVEL.has(key))
  const metadata = body['metadata'] ?? {}
  if (extra.length === 0 || !isDictionary(metadata)) return body
  return { ...body, metadata: Object.fromEntries([...extra, ...Object.entries(metadata)]) }
}

/** The body of a lead's creation. What was not sent is undefined. */
export const CreateLead = v.pipe(Dictionary, v.transform(foldIntoMetadata), fields(entries))
export type CreateLead = v.InferOutput<typeof CreateLead>
