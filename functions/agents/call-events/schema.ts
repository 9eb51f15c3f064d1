import * as v from 'valibot'
import { REPORTED_OUTCOMES } from '#shared/schema/call.ts'
import { JsonObject } from '#shared/schema/values.ts'

/** ISO 8601, as an instant. */
const Time = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.integer('Expected an ISO 8601 datetime.'),
)

const Destination = v.optional(v.nullable(v.string()))

const ReportedOutcome = v.pipe(
  v.string(),
  v.transform((text) => REPORTED_OUTCOMES.find((outcome) => outcome === text) ?? 'unknown'),
)

const Completion = v.object({
  outcome: ReportedOutcome,
  summary: v.optional(v.nullable(v.string())),
  is_contact: v.optional(v.nullable(v.boolean())),
  message_left: v.optional(v.nullable(v.boolean())),
  collected: v.optional(v.nullable(JsonObject)),
  callback_time: v.optional(v.nullable(Time)),
  appointment: v.optional(v.nullable(JsonObject)),
})
export type Completion = v.InferOutput<typeof Completion>

const report = <T extends string, S extends v.GenericSchema>(type: T, data: S) =>
  v.object({ type: v.literal(type), time: Time, provider_call_id: v.optional(v.string()), data })

const Anything = v.optional(JsonObject, {})

/** What an agent reports of a call. Each kind may come once, twice, late or never. */
export const CallReport = v.variant('type', [
  report('call.answered', Anything),
  report('call.data_collected', v.object({ collected: JsonObject })),
  report('call.transfer_initiated', v.object({ mode: v.optional(v.string(), 'warm'), destination: Destination })),
  report('call.transfer_connected', Anything),
  report('call.ended', v.object({ duration_seconds: v.optional(v.nullable(v.number())) })),
  report('call.completed', Completion),
  report('dnc.requested', v.object({ channel: v.picklist(['call', 'sms']) })),
])
export type CallReport = v.InferOutput<typeof CallReport>
