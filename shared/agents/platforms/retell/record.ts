import * as v from 'valibot'
import { outcomeOf } from '../../../calling/rules/outcomes.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Translation } from '../adapter.ts'
import { completionOf, extractedFrom, unknownOutcome } from '../analysis.ts'
import { platformReport } from '../end-reports.ts'
import type { OpenReport } from '../open-report.ts'
import { callIdOf, EpochMs, ifPresent } from '../read-answer.ts'
import { isRetellAccountFault, retellEnd } from './ends.ts'

/** A call as Retell shows it in events, in function calls, in lists and by its id. */
export const RetellCall = v.object({
  call_id: v.pipe(v.string(), v.minLength(1)),
  call_status: ifPresent(v.string()),
  to_number: ifPresent(v.string()),
  disconnection_reason: ifPresent(v.string()),
  start_timestamp: ifPresent(EpochMs),
  end_timestamp: ifPresent(EpochMs),
  duration_ms: ifPresent(EpochMs),
  /** Missing in Retell's record of some calls that nobody answered. */
  metadata: ifPresent(v.object({ call_id: ifPresent(v.string()) })),
  call_analysis: ifPresent(
    v.object({ call_summary: ifPresent(v.string()), in_voicemail: ifPresent(v.boolean()), custom_analysis_data: v.optional(v.unknown()) }),
  ),
})
type RetellCall = v.InferOutput<typeof RetellCall>

/** A text, alone or inside an object: the documentation does not say which. */
const Destination = v.union([
  v.string(),
  v.pipe(
    v.object({ number: v.string() }),
    v.transform(({ number }) => number),
  ),
])
const Option = v.union([
  v.string(),
  v.pipe(
    v.object({ type: v.string() }),
    v.transform(({ type }) => type),
  ),
])

const RetellEvent = v.object({
  event: v.string(),
  call: v.optional(RetellCall),
  transfer_destination: ifPresent(Destination),
  transfer_option: ifPresent(Option),
})
type RetellEvent = v.InferOutput<typeof RetellEvent>

/** The assistant called one of its functions. */
const RetellFunction = v.object({ name: v.string(), call: RetellCall, args: ifPresent(v.record(v.string(), v.unknown())) })

export const RetellCallback = v.union([RetellEvent, RetellFunction])

const report = ({ call_id }: RetellCall, type: OpenReport['type'], time: Instant, data?: OpenReport['data']): OpenReport =>
  platformReport({ platformCallId: call_id, time }, type, data)

const endOf = (call: RetellCall) => {
  const { start_timestamp: start, end_timestamp: end, duration_ms } = call
  const seconds = (duration_ms ?? (start !== null && end !== null ? Math.max(0, end - start) : 0)) / 1000
  return { seconds, ...retellEnd(call.disconnection_reason ?? 'missing', call.call_status, seconds) }
}

const unknownIn = (call: RetellCall): string | undefined =>
  endOf(call).unknown ?? unknownOutcome([call.call_analysis?.custom_analysis_data])

const completed = (call: RetellCall, at: Instant): OpenReport => {
  const { end } = endOf(call)
  const { call_summary: summary, custom_analysis_data: extracted, in_voicemail } = call.call_analysis ?? {}
  const isMachine = in_voicemail === true && (end === 'completed' || end === 'hung_up' || end === 'unknown')
  return report(call, 'call.completed', call.end_timestamp ?? at, completionOf(isMachine ? 'voicemail' : end, extracted, summary))
}

/**
 * The refusal that replaces the reports when the account could not place the call. After a conversation, the reports count. A stop that the
 * analysis found always counts.
 */
const refusalOf = (call: RetellCall, at: Instant) => {
  const { disconnection_reason: reason } = call
  if (!isRetellAccountFault(reason) || endOf(call).seconds > 0) return undefined
  const spoken = extractedFrom([call.call_analysis?.custom_analysis_data])
  const reports = spoken && outcomeOf(spoken.outcome).dnc ? [completed(call, at)] : []
  return { reports, refusal: { reason: `Retell did not place a call: ${reason}.`, isWhole: true } }
}

const ended = (call: RetellCall, at: Instant): OpenReport[] => {
  const { end, isAnswered, seconds } = endOf(call)
  const data = { duration_seconds: seconds, ...(isAnswered && { presumed_outcome: end }) }
  return [report(call, 'call.ended', call.end_timestamp ?? at, data), ...(isAnswered ? [] : [completed(call, at)])]
}

/** Events of transfers carry neither a time nor an id, and a call may have several. */
const transfer = (type: OpenReport['type'], at: Instant, data: OpenReport['data'] = {}): OpenReport[] => [
  { type, time: new Date(at).toISOString(), data },
]

/** The reports of an event; undefined when its type is unknown. */
const eventReports = (event: RetellEvent, call: RetellCall, at: Instant): OpenReport[] | undefined => {
  const { transfer_option: option, transfer_destination: destination } = event
  switch (event.event) {
    case 'call_started':
      return [report(call, 'call.answered', call.start_timestamp ?? at)]
    case 'call_ended':
      return ended(call, at)
    case 'call_analyzed':
      return [completed(call, at)]
    case 'transfer_started': {
      const mode = option === null ? {} : { mode: option === 'cold_transfer' ? 'blind' : 'warm' }
      return transfer('call.transfer_initiated', at, { ...mode, ...(destination !== null && { destination }) })
    }
    case 'transfer_bridged':
      return transfer('call.transfer_connected', at)
    case 'transfer_cancelled':
    case 'transfer_ended':
      return transfer('call.transfer_ended', at, { reason: event.event })
    case 'transcript_updated':
      return []
    default:
      return undefined
  }
}

export const retellTranslation = (body: v.InferOutput<typeof RetellCallback>, url: string, at: Instant): Translation => {
  const { call } = body
  const ids = {
    callId: call?.metadata?.call_id ?? callIdOf(url),
    platformCallId: call?.call_id ?? null,
    calledNumber: call?.to_number ?? null,
  }
  if (!('event' in body)) {
    const asked = { id: null, name: body.name, args: body.args, time: new Date(at).toISOString() }
    return { ...ids, reports: [], asks: [asked] }
  }
  const name = `event ${body.event}`
  if (!call) return { ...ids, reports: [], unknown: `${name} without a call` }
  const refusal = refusalOf(call, at)
  if (refusal) return { ...ids, ...refusal }
  const reports = eventReports(body, call, at)
  if (!reports) return { ...ids, reports: [], unknown: name }
  const unknown = body.event === 'call_ended' || body.event === 'call_analyzed' ? unknownIn(call) : undefined
  return { ...ids, reports, ...(unknown !== undefined && { unknown }) }
}

export const isRetellCallOver = ({ call_status }: RetellCall): boolean => ['ended', 'not_connected', 'error'].includes(call_status ?? '')

/** The translation of the record of a call that is over. */
export const retellRecord = (call: RetellCall, at: Instant): Translation => {
  const ids = { callId: call.metadata?.call_id ?? null, platformCallId: call.call_id, calledNumber: call.to_number }
  const refusal = refusalOf(call, at)
  if (refusal) return { ...ids, ...refusal }
  const { isAnswered } = endOf(call)
  const unknown = unknownIn(call)
  const reports = [
    ...(isAnswered && call.start_timestamp !== null ? [report(call, 'call.answered', call.start_timestamp)] : []),
    ...ended(call, at),
    ...(isAnswered && call.call_analysis ? [completed(call, at)] : []),
  ]
  return { ...ids, reports, ...(unknown !== undefined && { unknown }) }
}
