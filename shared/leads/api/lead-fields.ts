import * as v from 'valibot'
import { booleanField, choiceField } from '../../http/fields/choice.ts'
import { emailField } from '../../http/fields/email.ts'
import { blankAsNull, isDictionary } from '../../http/fields/field.ts'
import { metadataField } from '../../http/fields/metadata.ts'
import { idField, integerField } from '../../http/fields/number.ts'
import { charField } from '../../http/fields/text.ts'
import { LEAD_STATUSES, US_STATES } from '../../platform/values/values.ts'

/** The fields that every create and update accepts. The phone number is separate: only some requests require it. */
export const leadFields = {
  email: v.optional(blankAsNull(emailField())),
  metadata: v.optional(v.nullable(metadataField())),
  status: v.optional(choiceField(LEAD_STATUSES)),
  lead_type: v.optional(blankAsNull(idField())),
  representative: v.optional(v.nullable(integerField({ min: 1 }))),
  external_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
  us_state: v.optional(blankAsNull(choiceField(US_STATES))),
  lead_source: v.optional(charField({ maxLength: 255, allowBlank: true })),
}

/** Stop flags. Every create and update accepts them. */
export const stopFields = {
  sms_dnc: v.optional(booleanField()),
  call_dnc: v.optional(booleanField()),
}

/** Fields that only the service or a create sets, and fields that older clients still send. They do not go into the metadata. */
const DROPPED = [
  ...['id', 'modified_time', 'created_time', 'status_detail', 'status_reason', 'next_call_time', 'next_call_time_reason'],
  ...['received_time', 'reengagements_count', 'last_reengagement_time', 'reengagement_count', 'reengagement_time'],
  ...['call_schedule_start_time', 'min_reengagement_days'],
]

/**
 * Moves every key that is not a lead field into the metadata. A key in `metadata` wins over a top-level key of the same name.
 * @param entries the fields that the request takes
 */
export const foldIntoMetadata = (entries: v.ObjectEntries) => {
  const topLevel = new Set([...Object.keys(entries), ...DROPPED])
  return (body: Record<string, unknown>): Record<string, unknown> => {
    const extra = Object.entries(body).filter(([key]) => !topLevel.has(key))
    const metadata = body['metadata'] ?? {}
    if (extra.length === 0 || !isDictionary(metadata)) return body
    return { ...body, metadata: Object.fromEntries([...extra, ...Object.entries(metadata)]) }
  }
}
