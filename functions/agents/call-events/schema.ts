import * as v from 'valibot'
import { REPORTED_OUTCOMES } from '#shared/schema/call.ts'
import { dateTimeField } from '#shared/schema/fields/date-time.ts'
import { SMS_DIRECTIONS } from '#shared/schema/sms.ts'
import { NAME_LENGTH, toldText } from '#shared/schema/told-text.ts'
import { JsonObject } from '#shared/schema/values.ts'

/** Characters of a summary that are kept, and bytes of JSON of an appointment. */
const SUMMARY_LENGTH = 4000
const APPOINTMENT_BYTES = 16 * 1024
/** Of a text message: ten of its longest parts. */
const SMS_LENGTH = 1530
/** Seconds. */
const LONGEST_CALL = 86_400

/** What is of use only if it is right: anything else counts as not told, so that it does not keep the rest from being taken up. */
const ifRight = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema, null), null)

const ReportedOutcome = v.pipe(
  v.string(),
  v.transform((text) => REPORTED_OUTCOMES.find((outcome) => outcome === text) ?? 'unknown'),
)

/** Seconds, to the millisecond: the table does not take every number. */
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

const Completion = v.object({
  outcome: ReportedOutcome,
  summary: ifRight(toldText(SUMMARY_LENGTH)),
  is_contact: ifRight(v.boolean()),
  message_left: ifRight(v.boolean()),
  collected: ifRight(JsonObject),
  callback_time: ifRight(dateTimeField()),
  appointment: ifRight(Appointment),
})

const report = <T extends string, S extends v.GenericSchema>(type: T, data: S) =>
  v.object({
    type: v.literal(type),
    /** Names the call, so that a signed report of one call cannot be passed off as another's. */
    call_id: v.string(),
    time: dateTimeField(),
    provider_call_id: ifRight(toldText(NAME_LENGTH)),
    event_id: ifRight(toldText(NAME_LENGTH)),
    data,
  })

const TextMessage = v.object({
  direction: ifRight(v.picklist(SMS_DIRECTIONS)),
  body: ifRight(toldText(SMS_LENGTH)),
  status: ifRight(toldText(NAME_LENGTH)),
})

const Nothing = v.unknown()
const orNothing = <S extends v.GenericSchema>(data: S) => v.nullish(data, {})

/** What an agent reports of a call. Each kind may come once, twice, late or never. */
export const CallReport = v.variant('type', [
  report('call.answered', v.optional(Nothing)),
  report('call.data_collected', v.object({ collected: JsonObject })),
  report(
    'call.transfer_initiated',
    orNothing(v.object({ mode: ifRight(toldText(NAME_LENGTH)), destination: ifRight(toldText(NAME_LENGTH)) })),
  ),
  report('call.transfer_connected', v.optional(Nothing)),
  report('call.transfer_ended', orNothing(v.object({ reason: ifRight(toldText(NAME_LENGTH)) }))),
  report('call.ended', orNothing(v.object({ duration_seconds: ifRight(Duration) }))),
  report('call.completed', Completion),
  report('sms.completed', orNothing(TextMessage)),
  report('dnc.requested', v.object({ channel: v.picklist(['call', 'sms']) })),
])
export type CallReport = v.InferOutput<typeof CallReport>
