import * as v from 'valibot'
import type { Instant } from '../../../platform/values/values.ts'
import { unknownOutcome } from '../analysis.ts'
import { endBeforeOutcome, endWithOutcome, instantOr, platformReport } from '../end-reports.ts'
import type { CallEnd, OpenReport } from '../open-report.ts'
import { ifPresent } from '../read-answer.ts'

const ToolResult = v.object({ result: ifPresent(v.looseObject({ result_type: ifPresent(v.string()) })) })

/** The record of a conversation. Callbacks and polls have the same one. */
export const ElevenLabsConversation = v.object({
  conversation_id: v.pipe(v.string(), v.minLength(1)),
  status: ifPresent(v.string()),
  user_id: ifPresent(v.string()),
  transcript: ifPresent(v.array(v.object({ tool_results: ifPresent(v.array(ToolResult)) }))),
  metadata: ifPresent(
    v.object({
      start_time_unix_secs: ifPresent(v.number()),
      accepted_time_unix_secs: ifPresent(v.number()),
      call_duration_secs: ifPresent(v.number()),
      termination_reason: ifPresent(v.string()),
      error: ifPresent(v.object({ reason: ifPresent(v.string()) })),
      phone_call: ifPresent(v.object({ call_result: ifPresent(v.string()), external_number: ifPresent(v.string()) })),
    }),
  ),
  analysis: ifPresent(
    v.object({
      transcript_summary: ifPresent(v.string()),
      data_collection_results: ifPresent(v.record(v.string(), ifPresent(v.object({ value: v.unknown() })))),
    }),
  ),
  conversation_initiation_client_data: ifPresent(v.object({ dynamic_variables: ifPresent(v.record(v.string(), v.unknown())) })),
})
export type ElevenLabsConversation = v.InferOutput<typeof ElevenLabsConversation>

/** Our id of the call. It is in two places, because not every event has both. */
export const callOfElevenLabs = ({
  user_id,
  conversation_initiation_client_data,
}: Pick<ElevenLabsConversation, 'user_id' | 'conversation_initiation_client_data'>) => {
  const variable = conversation_initiation_client_data?.dynamic_variables?.['call_id']
  return typeof variable === 'string' ? variable : user_id
}

/** The number that was called; null when the record does not show it. */
export const numberOfElevenLabs = ({ metadata }: Pick<ElevenLabsConversation, 'metadata'>): string | null =>
  metadata?.phone_call?.external_number ?? null

const CALL_RESULTS: ReadonlyMap<string, CallEnd> = new Map([
  ['voicemail', 'voicemail'],
  ['busy', 'busy'],
  ['no_answer', 'no_answer'],
  ['failed', 'failed'],
])
const ANSWERED = 'answered'

/** Errors that show how the call ended. All other errors leave the end unknown. */
const ERRORS: ReadonlyMap<string, CallEnd> = new Map([
  ['line_busy', 'busy'],
  ['call_rejected', 'busy'],
  ['blocked_by_user', 'busy'],
  ['no_answer', 'no_answer'],
  ['call_initialization_error', 'failed'],
  ['client_disconnected', 'hung_up'],
  ['max_duration_exceeded', 'completed'],
])

const UNANSWERED: ReadonlySet<CallEnd> = new Set(['busy', 'no_answer', 'failed', 'disconnected', 'cancelled'])

/** Reasons are sentences. These say that the person ended the call. */
const BY_PERSON = /remote party|client disconnected|client:user|user (?:ended|hung up|disconnected)/i

/** The results of the agent's tools that say more about the end than telephony. */
const toolsOf = ({ transcript }: ElevenLabsConversation) => {
  const results = (transcript ?? []).flatMap(({ tool_results }) => tool_results ?? []).flatMap(({ result }) => result ?? [])
  const one = (matches: RegExp) => results.find(({ result_type }) => matches.test(result_type ?? ''))
  return {
    transfer: one(/^transfer_to_number_(?!error)/),
    failedTransfer: one(/^transfer_to_number_error$/),
    voicemail: one(/^voicemail_detection_success$/),
  }
}

const extractedFrom = ({ analysis }: ElevenLabsConversation): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(analysis?.data_collection_results ?? {}).map(([name, collected]) => [name, collected?.value]))

const endOf = (conversation: ElevenLabsConversation): CallEnd => {
  const { metadata, status } = conversation
  const { transfer, failedTransfer, voicemail } = toolsOf(conversation)
  // Transfers without a conference leave the conversation before anybody takes over.
  if (transfer) return transfer['conference_name'] ? 'transferred_warm' : 'transferred_blind'
  if (voicemail) return 'voicemail'
  const { call_result: result, error, reason } = { ...metadata?.phone_call, error: metadata?.error, reason: metadata?.termination_reason }
  const unanswered = CALL_RESULTS.get(result ?? '')
  if (unanswered) return unanswered
  if (failedTransfer) return 'transfer_unavailable'
  if (error) return ERRORS.get(error.reason ?? '') ?? 'unknown'
  if (/voicemail/i.test(reason ?? '')) return 'voicemail'
  if (BY_PERSON.test(reason ?? '')) return 'hung_up'
  return status === 'failed' || (result && result !== ANSWERED) ? 'unknown' : 'completed'
}

/** The reports of a finished conversation, and its end reason or outcome if the adapter does not know it. */
export const elevenLabsReports = (
  conversation: ElevenLabsConversation,
  at: Instant,
): { readonly reports: readonly OpenReport[]; readonly unknown?: string } => {
  const { conversation_id: platformCallId, metadata, analysis, status } = conversation
  const extracted = extractedFrom(conversation)
  const end = endOf(conversation)
  const start = metadata?.accepted_time_unix_secs ?? metadata?.start_time_unix_secs ?? null
  const seconds = metadata?.call_duration_secs ?? null
  const time = instantOr(start === null ? null : (start + (seconds ?? 0)) * 1000, at)
  const isAnswered = !UNANSWERED.has(end)
  const ended = { platformCallId, time, end, seconds: isAnswered ? seconds : 0 }
  const answered =
    isAnswered && start !== null ? [platformReport({ platformCallId, time: instantOr(start * 1000, at) }, 'call.answered')] : []
  const result = metadata?.phone_call?.call_result
  const isKnown = !result || result === ANSWERED || CALL_RESULTS.has(result)
  const unknown = isKnown ? unknownOutcome([extracted]) : `call_result ${result}`
  const message = toolsOf(conversation).voicemail?.['voicemail_message']
  const said = { ...extracted, ...(message ? { message_left: true } : {}) }
  const ends = status === 'processing' ? endBeforeOutcome(ended) : endWithOutcome(ended, said, analysis?.transcript_summary)
  return { reports: [...answered, ...ends], ...(unknown !== undefined && { unknown }) }
}
