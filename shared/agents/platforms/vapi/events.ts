import * as v from 'valibot'
import { SECOND } from '../../../platform/values/durations.ts'
import type { Adapter, LateRefusal, Translation } from '../adapter.ts'
import { completionOf, spokenFrom, unknownOutcome } from '../analysis.ts'
import { platformReport } from '../end-reports.ts'
import type { CallEnd, OpenReport } from '../open-report.ts'
import { foreignTime, ifPresent, readPlatformAnswer } from '../read-answer.ts'
import type { ToolCall } from '../tool-use.ts'
import { isVapiAccountFault, isWarm, isWholeVapiFault, vapiEnd } from './ends.ts'

const Text = ifPresent(v.string())
const Speaker = ifPresent(v.object({ voicemailMessage: Text }))
const Transfer = v.object({ mode: Text, status: Text })
const Output = ifPresent(v.object({ result: v.optional(v.unknown()) }))

/** The fields that show how a call ended. A message has some of them itself, and some in its call. */
const ENDING = {
  endedReason: Text,
  startedAt: Text,
  endedAt: Text,
  analysis: ifPresent(v.object({ summary: Text, structuredData: v.optional(v.unknown()) })),
  artifact: ifPresent(v.object({ transfers: ifPresent(v.array(Transfer)), structuredOutputs: ifPresent(v.record(v.string(), Output)) })),
  assistant: Speaker,
}
const OVERRIDES = { voicemailMessage: Text, metadata: ifPresent(v.object({ call_id: Text })) }

/** Vapi's record of a call. */
export const VapiCall = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: Text,
  name: Text,
  customer: ifPresent(v.object({ number: Text })),
  assistantOverrides: ifPresent(v.object(OVERRIDES)),
  monitor: ifPresent(v.object({ controlUrl: Text })),
  ...ENDING,
})
export type VapiCall = v.InferOutput<typeof VapiCall>

const Arguments = v.union([v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())), v.record(v.string(), v.unknown())])
const Tool = v.object({
  id: Text,
  name: Text,
  parameters: ifPresent(Arguments),
  function: ifPresent(v.object({ name: Text, arguments: ifPresent(Arguments) })),
})
const Destination = v.object({ number: Text, sipUri: Text, transferPlan: ifPresent(v.object({ mode: Text })) })

const Message = v.object({
  type: v.string(),
  timestamp: ifPresent(v.union([v.number(), v.string()])),
  status: Text,
  call: ifPresent(VapiCall),
  destination: ifPresent(Destination),
  toolCallList: ifPresent(v.array(ifPresent(Tool))),
  ...ENDING,
})
type Message = v.InferOutput<typeof Message>
type Ending = Pick<Message, keyof typeof ENDING> & Pick<VapiCall, 'id' | 'assistantOverrides'>

export const vapiCallIdOf = ({ assistantOverrides, name }: VapiCall): string | null => assistantOverrides?.metadata?.call_id ?? name

/** The part of a translation that a message or a record decides. */
type Reported = Pick<Translation, 'reports' | 'refusal' | 'unknown'>

/** The assistant's structured data and structured outputs. One of them has our schema. */
const resultsOf = ({ analysis, artifact }: Pick<Ending, 'analysis' | 'artifact'>): readonly unknown[] => [
  analysis?.structuredData,
  ...Object.values(artifact?.structuredOutputs ?? {}).map((output) => output?.result),
]

export const extractedByVapi = (ending: Pick<Ending, 'analysis' | 'artifact'>) => spokenFrom(resultsOf(ending))

/** Ends of a call that nobody answered. A cancelled call is not here: it may have been a conversation. */
const UNANSWERED: ReadonlySet<CallEnd> = new Set(['no_answer', 'busy', 'disconnected', 'failed'])

const duration = ({ startedAt }: Ending, endTime: string) => {
  const started = foreignTime(startedAt)
  if (started === null) return {}
  return { duration_seconds: Math.max(0, (Date.parse(endTime) - Date.parse(started)) / SECOND) }
}

/** The refusal. Every user of the agent may read it, so an end reason with more than a code is left out. */
const refusalOf = (reason: string): LateRefusal => ({
  reason: /^[a-z.-]{1,120}$/.test(reason) ? `Vapi did not place a call: ${reason}.` : 'Vapi did not place a call.',
  isWhole: isWholeVapiFault(reason),
})

/**
 * The reports of a call's end, and the end reason or the outcome if the adapter does not know it.
 * @param isAnalysed whether the analysis is complete, so that no further report follows
 */
export const endReports = (ending: Ending, time: string, isAnalysed: boolean): Reported => {
  if (isVapiAccountFault(ending.endedReason ?? '')) return { reports: [], refusal: refusalOf(ending.endedReason ?? '') }
  const known = vapiEnd(ending.endedReason ?? '', ending.artifact?.transfers ?? [])
  const end = known ?? 'unknown'
  const unknown = known === undefined ? `endedReason ${ending.endedReason}` : unknownOutcome(resultsOf(ending))
  const named = unknown !== undefined && { unknown }
  const endTime = foreignTime(ending.endedAt) ?? time
  const lasted = UNANSWERED.has(end) ? {} : duration(ending, endTime)
  if (!isAnalysed && !UNANSWERED.has(end)) {
    const { outcome } = completionOf(end, undefined)
    return {
      reports: [platformReport({ platformCallId: ending.id, time: endTime }, 'call.ended', { ...lasted, presumed_outcome: outcome })],
      ...named,
    }
  }
  const isMessageLeft = Boolean(ending.assistantOverrides?.voicemailMessage ?? ending.assistant?.voicemailMessage)
  const analysis = { ...(end === 'voicemail' && isMessageLeft && { message_left: true }), ...extractedByVapi(ending) }
  const summary = ending.analysis?.summary ?? (end === 'failed' ? `Vapi could not place the call: ${ending.endedReason}` : undefined)
  const completion = completionOf(end, analysis, summary)
  return {
    reports: [
      platformReport({ platformCallId: ending.id, time: endTime }, 'call.ended', lasted),
      platformReport({ platformCallId: ending.id, time: endTime }, 'call.completed', completion),
    ],
    ...named,
  }
}

/** A handoff to another assistant is no transfer: the person still talks with the agent. */
const transferReports = (id: string, time: string, { destination }: Message): OpenReport[] => {
  const to = destination?.number ?? destination?.sipUri
  if (!to) return []
  const mode = isWarm(destination?.transferPlan?.mode) ? 'warm' : 'blind'
  return [platformReport({ platformCallId: id, time: time }, 'call.transfer_initiated', { mode, destination: to })]
}

const askOf = (time: string, { id, name, parameters, function: called }: v.InferOutput<typeof Tool>): ToolCall => ({
  id,
  name: called?.name ?? name ?? '',
  args: called?.arguments ?? parameters,
  time,
})

/** Statuses, and messages that Vapi sends by default, that need no report. */
const SILENT_STATUSES = ['scheduled', 'queued', 'ringing', 'not-found', 'deletion-failed']
const SILENT = [
  ...['assistant.started', 'assistant.speechStarted', 'conversation-update', 'function-call', 'hang', 'language-change-detected'],
  ...['model-output', 'speech-update', 'transcript', 'user-interrupted', 'voice-input'],
]

const statusReports = (ending: Ending, time: string, message: Message): Reported => {
  const { status } = message
  if (status === 'in-progress') return { reports: [platformReport({ platformCallId: ending.id, time: time }, 'call.answered')] }
  if (status === 'forwarding') return { reports: transferReports(ending.id, time, message) }
  if (status === 'ended') return endReports(ending, time, false)
  return { reports: [], ...(!SILENT_STATUSES.includes(status ?? '') && { unknown: `status-update ${status}` }) }
}

const messageReports = (call: VapiCall, time: string, message: Message): Reported & Pick<Translation, 'asks'> => {
  const reported = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null))
  const ending: Ending = { ...call, ...reported }
  if (message.type === 'status-update') return statusReports(ending, time, message)
  if (message.type === 'end-of-call-report') return endReports(ending, time, true)
  if (message.type === 'transfer-update') return { reports: transferReports(call.id, time, message) }
  if (message.type === 'tool-calls') {
    const tools = (message.toolCallList ?? []).filter((tool) => tool !== null)
    return { reports: [], asks: tools.map((tool) => askOf(time, tool)) }
  }
  return { reports: [], ...(!SILENT.includes(message.type) && { unknown: message.type }) }
}

export const translateVapi: Adapter['translate'] = ({ rawBody, at }) => {
  const message = readPlatformAnswer(v.object({ message: Message }), rawBody)?.message
  if (!message) throw new SyntaxError('The body has no message of Vapi.')
  const { call } = message
  if (!call) return { callId: null, platformCallId: null, reports: [], ...(!SILENT.includes(message.type) && { unknown: message.type }) }
  const time = foreignTime(message.timestamp) ?? new Date(at).toISOString()
  return { callId: vapiCallIdOf(call), platformCallId: call.id, ...messageReports(call, time, message) }
}
