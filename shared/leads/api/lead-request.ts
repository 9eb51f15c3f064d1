import * as v from 'valibot'
import { consentField, isSentConsent } from '../../consents/api/consent-request.ts'
import { booleanField, choiceField } from '../../http/fields/choice.ts'
import { dateTimeField } from '../../http/fields/date-time.ts'
import { emailField } from '../../http/fields/email.ts'
import { blankAsNull, Dictionary, fields, isDictionary } from '../../http/fields/field.ts'
import { metadataField } from '../../http/fields/metadata.ts'
import { idField, integerField } from '../../http/fields/number.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { charField } from '../../http/fields/text.ts'
import { stateHelp } from '../../location/rules/state-help.ts'
import { LEAD_STATUSES, STATUS_DETAILS, US_STATES } from '../../platform/values/values.ts'
import { commonlyCalled } from '../rules/other-names.ts'

/** The fields that every create and update accepts. The phone number is separate: only some requests require it. */
const leadFields = {
  email: v.optional(blankAsNull(emailField())),
  metadata: v.optional(v.nullable(metadataField())),
  status: v.optional(choiceField(LEAD_STATUSES)),
  lead_type: v.optional(blankAsNull(idField())),
  representative: v.optional(v.nullable(integerField({ min: 1 }))),
  external_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
  us_state: v.optional(blankAsNull(choiceField(US_STATES, stateHelp))),
  lead_source: v.optional(charField({ maxLength: 255, allowBlank: true })),
}

/** Stop flags. Every create and update accepts them. */
const stopFields = {
  sms_dnc: v.optional(booleanField()),
  call_dnc: v.optional(booleanField()),
}

/** Fields that only the service or a create sets, and fields that older clients still send. They do not go into the metadata. */
const DROPPED = [
  ...['id', 'modified_time', 'created_time', 'status_detail', 'status_reason', 'next_call_time', 'next_call_time_reason'],
  ...['received_time', 'reengagements_count', 'last_reengagement_time', 'reengagement_count', 'reengagement_time'],
  ...['call_schedule_start_time', 'min_reengagement_days'],
]

/** Clients send other values than consents under this name as metadata. */
const CONSENT = 'consent'

/**
 * Moves every key that is not a lead field into the metadata. A key in `metadata` wins over a top-level key of the same name.
 * @param entries the fields that the request takes
 */
const foldIntoMetadata = (entries: v.ObjectEntries) => {
  const topLevel = new Set([...Object.keys(entries), ...DROPPED])
  return (body: Record<string, unknown>): Record<string, unknown> => {
    const isField = (key: string, value: unknown): boolean => topLevel.has(key) && (key !== CONSENT || isSentConsent(value))
    const extra = Object.entries(body).filter(([key, value]) => !isField(key, value))
    const metadata = body['metadata'] ?? {}
    if (extra.length === 0 || !isDictionary(metadata)) return body
    return { ...body, metadata: Object.fromEntries([...extra, ...Object.entries(metadata)]) }
  }
}

/** The body of a request that takes these fields of a lead. */
const leadRequest = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(Dictionary, v.transform(foldIntoMetadata(entries)), fields(entries, commonlyCalled))

const createEntries = {
  phone_number: phoneField(),
  ...leadFields,
  call_schedule_start_time: v.optional(v.nullable(dateTimeField())),
  min_reengagement_days: v.optional(integerField({ min: 0 })),
  ...stopFields,
}

/** The names of the fields that a create takes. */
export const LEAD_FIELD_NAMES = Object.keys(createEntries)

const consentEntry = { [CONSENT]: v.optional(v.nullable(consentField())) }

/** The body of a lead's creation. Fields that were not sent are undefined. */
export const CreateLead = leadRequest({ ...createEntries, ...consentEntry })
export type CreateLead = v.InferOutput<typeof CreateLead>

const upsertEntries = { ...createEntries, ...consentEntry, phone_number: v.optional(phoneField()) }

/** A create whose lead may exist already. The lead may be found by another field than the phone number. */
export const UpsertLead = leadRequest(upsertEntries)
export type UpsertLead = v.InferOutput<typeof UpsertLead>

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
export const UpdateLead = leadRequest(updateEntries)
export type UpdateLead = v.InferOutput<typeof UpdateLead>

/** One update of a bulk request: the fields of the single update, and the lead's id. */
export const AskedUpdate = v.pipe(
  leadRequest({ id: integerField(), ...updateEntries }),
  v.transform(({ id, ...patch }) => ({ lead: id, patch })),
)
export type AskedUpdate = v.InferOutput<typeof AskedUpdate>

/**
 * The fields of an update by match. Phone number and email find the lead, so the update cannot change them. Without an email, it finds the
 * lead that has none.
 */
const matchEntries = { ...updateEntries, phone_number: phoneField() }

/** The body of an update that finds its lead by phone number and email. It is partial with every method. */
export const UpdateByMatch = v.pipe(
  leadRequest(matchEntries),
  v.transform(({ phone_number, email, ...patch }) => ({ phone_number, email: email ?? null, patch })),
)
export type UpdateByMatch = v.InferOutput<typeof UpdateByMatch>
