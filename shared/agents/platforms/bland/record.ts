import * as v from 'valibot'
import type { Instant } from '../../../platform/values/values.ts'
import type { Translation } from '../adapter.ts'
import { completionOf, spokenFrom, unknownOutcome } from '../analysis.ts'
import { platformReport } from '../end-reports.ts'
import type { CallEnd, OpenReport } from '../open-report.ts'
import { callIdOf, ifPresent } from '../read-answer.ts'

const Text = ifPresent(v.string())

/**
 * A call's record, from its webhook or from Bland's API. The schema does not read `end_at`: it is a deadline for the call, not the time of
 * its end.
 */
export const BlandCall = v.object({
  call_id: v.pipe(v.string(), v.minLength(1)),
  status: Text,
  queue_status: Text,
  completed: ifPresent(v.boolean()),
  answered_by: Text,
  call_ended_by: Text,
  error_message: Text,
  created_at: Text,
  started_at: Text,
  /** Minutes. */
  call_length: ifPresent(v.number()),
  /** Seconds, often as text. */
  corrected_duration: ifPresent(v.union([v.number(), v.string()])),
  transferred_to: Text,
  post_transfer_duration: ifPresent(v.number()),
  warm_transfer_call: ifPresent(v.object({ state: Text })),
  metadata: ifPresent(v.object({ call_id: Text })),
  summary: Text,
  disposition_tag: Text,
  analysis: ifPresent(v.record(v.string(), v.unknown())),
})
type BlandCall = v.InferOutput<typeof BlandCall>

const ENDED_QUEUES: readonly (string | null)[] = ['complete', 'pre_queue_error', 'queue_error', 'call_error', 'complete_error']

const STATUSES: ReadonlyMap<string, CallEnd> = new Map([
  ['no-answer', 'no_answer'],
  ['busy', 'busy'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
])

/** Without a final status, a call is over when its queue entry is complete or failed. */
export const isBlandCallOver = ({ status, completed, queue_status }: BlandCall): boolean =>
  completed === true || status === 'completed' || STATUSES.has(status ?? '') || (status === null && ENDED_QUEUES.includes(queue_status))

/** Stages of the queue before Bland dials. Bland does not show whether somebody answered since. */
const WAITING_QUEUES: readonly (string | null)[] = ['new', 'queued', 'allocated']

export const isBlandCallWaiting = ({ queue_status }: BlandCall): boolean => WAITING_QUEUES.includes(queue_status)

const transferEnd = ({ transferred_to, warm_transfer_call: warm, post_transfer_duration }: BlandCall): CallEnd | undefined => {
  if (warm?.state === 'MERGED' || (warm && (post_transfer_duration ?? 0) > 0)) return 'transferred_warm'
  if (warm?.state) return 'transfer_unavailable'
  return transferred_to ? 'transferred_blind' : undefined
}

const machineEnd = ({ answered_by }: BlandCall): CallEnd | undefined => {
  if (answered_by === 'voicemail') return 'voicemail'
  return answered_by === 'no-answer' ? 'no_answer' : answered_by === 'busy' ? 'busy' : undefined
}

/** The first rule that applies decides. A call whose queue entry failed was never dialled. */
const endOf = (call: BlandCall): { readonly end: CallEnd; readonly unknown?: string } => {
  const { status, queue_status, call_ended_by, error_message } = call
  const end = transferEnd(call) ?? machineEnd(call) ?? STATUSES.get(status ?? '')
  if (end) return { end }
  if (queue_status === 'pre_queue_error' || queue_status === 'queue_error') return { end: 'failed' }
  if (status === 'unknown' || queue_status === 'call_error') return { end: 'unknown' }
  if (status !== null && status !== 'completed') return { end: 'unknown', unknown: `status ${status}` }
  if (error_message && !call_ended_by) return { end: 'failed' }
  return { end: call_ended_by === 'USER' ? 'hung_up' : 'completed' }
}

/** Bland describes the conversation twice: in its analysis, whose text may be anything, and in the disposition. */
const resultsOf = ({ analysis, disposition_tag }: BlandCall): readonly unknown[] => [analysis, { ...analysis, outcome: disposition_tag }]

const UNANSWERED: readonly CallEnd[] = ['no_answer', 'busy', 'failed', 'cancelled']
/** Ends of a call that only an analysis of the conversation can explain. Until Bland has analysed it, the outcome is presumed. */
const NEEDS_WORDS: readonly CallEnd[] = ['completed', 'hung_up', 'unknown', 'transfer_unavailable']

const secondsOf = ({ corrected_duration, call_length }: BlandCall): number => {
  const seconds = Number(corrected_duration ?? Number.NaN)
  const reported = Number.isFinite(seconds) ? seconds : (call_length ?? 0) * 60
  return Math.max(0, reported)
}

const instantOf = (text: string | null): Instant | null => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}

/** One webhook brings both the end and the outcome. A record of a call that goes on has no reports. */
export const blandTranslation = (call: BlandCall, url: string, at: Instant): Translation => {
  const ids = { callId: call.metadata?.call_id ?? callIdOf(url), platformCallId: call.call_id }
  if (!isBlandCallOver(call)) return { ...ids, reports: [] }
  const { end, unknown = unknownOutcome(resultsOf(call)) } = endOf(call)
  const isUnanswered = UNANSWERED.includes(end)
  const started = instantOf(call.started_at)
  const seconds = isUnanswered ? 0 : secondsOf(call)
  const endTime = started === null ? at : Math.min(at, started + seconds * 1000)
  const report = (type: OpenReport['type'], time: Instant, data?: OpenReport['data']): OpenReport =>
    platformReport({ platformCallId: call.call_id, time }, type, data)
  const extracted = spokenFrom(resultsOf(call))
  const isPresumed = NEEDS_WORDS.includes(end) && extracted === undefined
  const reports = [
    ...(isUnanswered || started === null ? [] : [report('call.answered', Math.min(at, started))]),
    report('call.ended', endTime, { duration_seconds: seconds, ...(isPresumed && { presumed_outcome: end }) }),
    ...(isPresumed
      ? []
      : [report('call.completed', endTime, completionOf(end, extracted ?? { ...call.analysis, outcome: undefined }, call.summary))]),
  ]
  return { ...ids, reports, ...(unknown !== undefined && { unknown }) }
}
