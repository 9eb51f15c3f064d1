import * as v from 'valibot'
import type { ReportedOutcome } from '../../calling/call.ts'
import { outcomeNamed } from '../../calling/rules/outcomes.ts'
import { SMS_DIRECTIONS } from '../../events/sms.ts'
import { choiceField } from '../../http/fields/choice.ts'
import { dateTimeField, LATEST } from '../../http/fields/date-time.ts'
import { Dictionary, field, fields, isDictionary, type Refusal, refuse } from '../../http/fields/field.ts'
import { notADictionary } from '../../http/fields/metadata.ts'
import { charField } from '../../http/fields/text.ts'
import { type Instant, JsonObject } from '../../platform/values/values.ts'
import { CHANNELS } from '../../stops/compliance.ts'
import { APPOINTMENT_BYTES, LONGEST_CALL, NAME_LENGTH, reportedText, SMS_LENGTH, SUMMARY_LENGTH, wellFormed } from '../reported-text.ts'

/** An optional field. A malformed value is dropped, so that the rest of the report is accepted. */
const ifRight = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema, null), null)

const reportedOutcome = () =>
  field(
    (value): ReportedOutcome | Refusal => (typeof value === 'string' ? (outcomeNamed(value) ?? 'unknown') : refuse('Not a valid string.')),
    {},
  )

/** A name that we do not know is dropped, as any malformed optional field. */
const presumedOutcome = () => field((value) => outcomeNamed(value) ?? null, {})

const freeKeys = () =>
  field((value): Record<string, unknown> | Refusal => (isDictionary(value) ? value : refuse(notADictionary(value))), {})

/** The data of a report. */
const about = <E extends v.ObjectEntries>(entries: E) => v.pipe(Dictionary, fields(entries))

/** Seconds, rounded to milliseconds: the table does not accept every number. */
const Duration = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(LONGEST_CALL),
  v.transform((seconds) => Math.round(seconds * 1000) / 1000),
)

const Appointment = v.pipe(
  JsonObject,
  v.check((value) => Buffer.byteLength(JSON.stringify(value)) <= APPOINTMENT_BYTES),
)

const Completion = about({
  outcome: reportedOutcome(),
  summary: ifRight(reportedText(SUMMARY_LENGTH)),
  is_contact: ifRight(v.boolean()),
  message_left: ifRight(v.boolean()),
  collected: ifRight(JsonObject),
  callback_time: ifRight(dateTimeField()),
  appointment: ifRight(Appointment),
})

/**
 * The time of a report that may carry a stop. A stop is never lost: without a valid time, the report counts as received now, because later
 * times are limited to now.
 */
const timeOrNow = () => v.fallback(v.nullish(dateTimeField(), LATEST), LATEST)

const report = <T extends string, S extends v.GenericSchema>(
  type: T,
  data: S,
  time: () => v.GenericSchema<unknown, Instant> = dateTimeField,
) =>
  fields({
    type: v.literal(type),
    call_id: charField({ maxLength: NAME_LENGTH }),
    time: time(),
    provider_call_id: ifRight(reportedText(NAME_LENGTH)),
    event_id: ifRight(reportedText(NAME_LENGTH)),
    data,
  })

/** Also `INBOUND`, or `outbound-api` as Twilio says. */
const Direction = v.pipe(
  v.string(),
  v.transform((text) => SMS_DIRECTIONS.find((direction) => text.toLowerCase().startsWith(direction))),
  v.picklist(SMS_DIRECTIONS),
)

const TextMessage = about({
  direction: ifRight(Direction),
  body: ifRight(reportedText(SMS_LENGTH)),
  status: ifRight(reportedText(NAME_LENGTH)),
})

const Nothing = v.unknown()
const orNothing = <S extends v.GenericSchema>(data: S) => v.nullish(data, {})

/** A stop is never lost: malformed data, or no known channel, stop both channels. */
const Stop = v.fallback(orNothing(about({ channel: ifRight(v.picklist(CHANNELS)), words: ifRight(reportedText(SMS_LENGTH)) })), {
  channel: null,
  words: null,
})

const KnownReport = v.variant('type', [
  report('call.answered', v.optional(Nothing)),
  report('call.data_collected', about({ collected: freeKeys() })),
  report(
    'call.transfer_initiated',
    orNothing(about({ mode: ifRight(reportedText(NAME_LENGTH)), destination: ifRight(reportedText(NAME_LENGTH)) })),
  ),
  report('call.transfer_connected', v.optional(Nothing)),
  report('call.transfer_ended', orNothing(about({ reason: ifRight(reportedText(NAME_LENGTH)) }))),
  report(
    'call.ended',
    orNothing(about({ duration_seconds: ifRight(Duration), presumed_outcome: v.nullish(presumedOutcome(), null) })),
    timeOrNow,
  ),
  report('call.completed', Completion, timeOrNow),
  report('sms.completed', orNothing(TextMessage), timeOrNow),
  report('dnc.requested', Stop, timeOrNow),
])
type KnownReport = v.InferOutput<typeof KnownReport>

export const REPORT_TYPES = KnownReport.options.map(({ entries }) => entries.type.literal)

/** Finds further errors in a report of unknown type. */
const UnknownReport = fields({
  type: choiceField(REPORT_TYPES),
  call_id: charField({ maxLength: NAME_LENGTH }),
  time: dateTimeField(),
})

const readReport = (body: unknown) => {
  const read = v.safeParse(KnownReport, body)
  if (read.success) return read
  const other = v.safeParse(UnknownReport, body)
  // For an unknown type, name the errors in its type, and not those in its data.
  return other.issues?.some(({ path }) => path?.[0]?.key === 'type') ? other : read
}

/**
 * A report of an agent about a call. Each type may come once, twice, late or never. Errors in its data begin with the field: `outcome: …`.
 */
export const CallReport = v.pipe(
  v.unknown(),
  // Replace lone surrogates: the table cannot store them, and the report must not fail because of them.
  v.transform((body) => wellFormed(body)),
  Dictionary,
  v.rawTransform<Record<string, unknown>, KnownReport>(({ dataset, addIssue, NEVER }) => {
    const read = readReport(dataset.value)
    if (read.success) return read.output
    for (const { message, path } of read.issues) {
      const inner = path?.[1]?.key
      addIssue({ message: inner === undefined ? message : `${inner}: ${message}`, path })
    }
    return NEVER
  }),
)
export type CallReport = v.InferOutput<typeof CallReport>
