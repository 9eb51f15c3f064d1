import * as v from 'valibot'
import { SECOND } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Adapter, Translation } from '../adapter.ts'
import { completionOf, isDecidedByWords, unknownOutcome } from '../analysis.ts'
import { platformReport } from '../end-reports.ts'
import type { CallEnd } from '../open-report.ts'
import { foreignTime, ifPresent, readPlatformAnswer } from '../read-answer.ts'
import { connectEnd, isToneOnly, unknownEnding } from './ends.ts'

/** Events write `contactId`, and records and some events `ContactId`. */
const fieldsOf = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((found) =>
      Object.fromEntries(Object.entries(found).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value])),
    ),
    v.object(entries),
  )

/** A time that is not set is sent as an instant of 1970. */
const UNSET_BEFORE = '2000'

/** Text in events, seconds in records. */
const Time = ifPresent(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((reported) => foreignTime(typeof reported === 'number' ? reported * SECOND : reported)),
    v.transform((time) => (time !== null && time > UNSET_BEFORE ? time : null)),
  ),
)
const Text = ifPresent(v.string())
const Reason = v.union([
  v.string(),
  v.pipe(
    fieldsOf({ code: v.string() }),
    v.transform(({ code }) => code),
  ),
])

/** A contact, as events and its record have it. */
export const ConnectContact = fieldsOf({
  contactId: Text,
  id: Text,
  /** The contact's name: our id of the call, if we placed the call. Events do not have a name. */
  name: Text,
  channel: Text,
  initiationMethod: Text,
  connectedToSystemTimestamp: Time,
  disconnectTimestamp: Time,
  disconnectReason: ifPresent(Reason),
  answeringMachineDetectionStatus: Text,
  agentInfo: ifPresent(fieldsOf({ connectedToAgentTimestamp: Time })),
  queueInfo: ifPresent(fieldsOf({ queueArn: Text, enqueueTimestamp: Time })),
  attributes: ifPresent(v.record(v.string(), v.string())),
  customerEndpoint: ifPresent(fieldsOf({ address: Text })),
  eventType: Text,
})
export type ConnectContact = v.InferOutput<typeof ConnectContact>

type Reports = Pick<Translation, 'reports' | 'unknown'>

/** The flow tells the outcome in these attributes of the contact. */
export const RESULT_ATTRIBUTES = ['call_outcome', 'call_summary', 'call_callback_time', 'call_message_left']

const resultOf = (attributes: Readonly<Record<string, string>>) => ({
  outcome: attributes['call_outcome'],
  summary: attributes['call_summary'],
  callback_time: attributes['call_callback_time'],
  message_left: { true: true, false: false }[attributes['call_message_left'] ?? ''],
})

const endingOf = (contact: ConnectContact) => ({
  reason: contact.disconnectReason,
  machine: contact.answeringMachineDetectionStatus,
  isConnected: contact.connectedToSystemTimestamp !== null,
  isQueued: Boolean(contact.queueInfo?.enqueueTimestamp),
  isWithAgent: Boolean(contact.agentInfo?.connectedToAgentTimestamp),
})

/** What may still bring the outcome after the end: the contact's record, or a tool of the flow. */
type MoreFrom = 'record' | 'tool' | null

/** Whether the contact's attributes contain an outcome from the flow. */
const isResultIn = (attributes: Readonly<Record<string, string>>): boolean => RESULT_ATTRIBUTES.some((name) => name in attributes)

const UNANSWERED: ReadonlySet<CallEnd> = new Set(['no_answer', 'busy', 'disconnected', 'failed', 'cancelled'])

/**
 * Whether an end completes the call. Events have no attributes, and seldom a reason. They complete a call only when they tell why nobody
 * answered.
 */
const isComplete = (end: CallEnd, isKnown: boolean, contact: ConnectContact, more: MoreFrom): boolean => {
  if (more === 'record') return isKnown && UNANSWERED.has(end)
  return more === null || !isDecidedByWords(end) || isResultIn(contact.attributes ?? {})
}

/** The reports of a call's end. While an outcome may still follow, the end has a presumed one. */
export const connectEndReports = (id: string, contact: ConnectContact, time: string, more: MoreFrom): Reports => {
  const ending = endingOf(contact)
  const reported = connectEnd(ending)
  const end = reported ?? (ending.reason !== null ? 'unknown' : ending.isConnected ? 'completed' : 'no_answer')
  const result = resultOf(contact.attributes ?? {})
  const unknown = unknownEnding(ending) ?? unknownOutcome([result])
  const named = unknown !== undefined && { unknown }
  const started = contact.connectedToSystemTimestamp
  const endTime = contact.disconnectTimestamp ?? time
  const isTalk = started !== null && !UNANSWERED.has(end)
  const lasted = isTalk ? { duration_seconds: Math.max(0, (Date.parse(endTime) - Date.parse(started)) / SECOND) } : {}
  if (!isComplete(end, reported !== undefined, contact, more)) {
    const { outcome } = completionOf(end, undefined)
    return {
      reports: [platformReport({ platformCallId: id, time: endTime }, 'call.ended', { ...lasted, presumed_outcome: outcome })],
      ...named,
    }
  }
  const completion = completionOf(end, result)
  return {
    reports: [
      platformReport({ platformCallId: id, time: endTime }, 'call.ended', lasted),
      platformReport({ platformCallId: id, time: endTime }, 'call.completed', completion),
    ],
    ...named,
  }
}

/** The events with reports. `COMPLETED` is left out: it repeats `DISCONNECTED`, so each record would be read twice. */
export const CONNECT_EVENT_TYPES = ['CONNECTED_TO_SYSTEM', 'QUEUED', 'CONNECTED_TO_AGENT', 'DISCONNECTED']

const SILENT = ['INITIATED', 'CONTACT_DATA_UPDATED', 'PAUSED', 'RESUMED', 'AMD_DISABLED', 'WEBRTC_API']

const reportsOf = (id: string, contact: ConnectContact, time: string): Reports => {
  const { eventType, queueInfo, agentInfo } = contact
  if (eventType === 'CONNECTED_TO_SYSTEM') {
    if (isToneOnly(contact.answeringMachineDetectionStatus)) return { reports: [] }
    return { reports: [platformReport({ platformCallId: id, time: contact.connectedToSystemTimestamp ?? time }, 'call.answered')] }
  }
  if (eventType === 'QUEUED') {
    const data = { mode: 'warm', ...(queueInfo?.queueArn && { destination: queueInfo.queueArn }) }
    return { reports: [platformReport({ platformCallId: id, time: queueInfo?.enqueueTimestamp ?? time }, 'call.transfer_initiated', data)] }
  }
  if (eventType === 'CONNECTED_TO_AGENT') {
    return {
      reports: [platformReport({ platformCallId: id, time: agentInfo?.connectedToAgentTimestamp ?? time }, 'call.transfer_connected')],
    }
  }
  if (eventType === 'DISCONNECTED' || eventType === 'COMPLETED') return connectEndReports(id, contact, time, 'record')
  return { reports: [], ...(!SILENT.includes(eventType ?? '') && { unknown: `eventType ${eventType}` }) }
}

const Event = v.object({ time: ifPresent(v.string()), detail: ConnectContact })

const iso = (at: Instant): string => new Date(at).toISOString()

/**
 * Translates an event of EventBridge. Only calls that were placed through the API are ours. The further legs of a call are separate
 * contacts, which are ignored.
 */
export const translateConnect: Adapter['translate'] = ({ rawBody, at }) => {
  const event = readPlatformAnswer(Event, rawBody)
  const id = event?.detail.contactId
  if (!event || !id || event.detail.eventType === null) throw new SyntaxError('The body is no contact event of Amazon Connect.')
  const { detail, time } = event
  const isOurs = detail.initiationMethod === 'API' && detail.channel?.toUpperCase() === 'VOICE'
  if (!isOurs) return { callId: null, platformCallId: null, reports: [] }
  return { callId: null, platformCallId: id, ...reportsOf(id, detail, foreignTime(time) ?? iso(at)) }
}
