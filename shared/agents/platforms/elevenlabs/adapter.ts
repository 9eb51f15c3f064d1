import * as v from 'valibot'
import type { Adapter, Ask, Connection, Dial, DialAnswer, PlatformAnswer, PlatformCallback, Translation } from '../adapter.ts'
import { endWithOutcome, instantOr } from '../end-reports.ts'
import type { CallEnd } from '../open-report.ts'
import { earliestStart, isToOther } from '../own-call.ts'
import { ifPresent, isPlatformSuccess, notAccepted, ownWords, readPlatformAnswer, readPlatformEvent } from '../read-answer.ts'
import { endBySipStatus } from '../sip-status.ts'
import { callOfElevenLabs, ElevenLabsConversation, elevenLabsReports, numberOfElevenLabs } from './conversation.ts'
import { dialElevenLabs, elevenLabsRequest } from './request.ts'
import { verifyElevenLabs } from './signature.ts'
import { elevenLabsTools } from './tools.ts'

const Text = ifPresent(v.pipe(v.string(), v.minLength(1)))
const Dialled = v.object({ success: v.boolean(), message: ifPresent(v.string()), conversation_id: Text, callSid: Text, sip_call_id: Text })

/** SIP statuses of a trunk that takes no call. After any other one the phone may have rung. */
const TRUNK_STATUSES = new Set(['401', '402', '403', '407'])
/** Twilio's words and error codes for an invalid number, and for a number that this account may not call. */
const NO_NUMBER = /\b(21211|21217)\b|attempting to call, [^ ]+ is not valid/
const NOT_PERMITTED = /\b(21214|21215|21216)\b|not authorized to call/

/** Reads a refusal, which comes with status 200. It usually blames the account: credentials, limits or the caller number. */
const refusal = (message: string): DialAnswer => {
  const reason = { reason: 'ElevenLabs refused the call.', ...ownWords(message) }
  const sip = /sip status[^0-9]{0,9}([4-6]\d\d)/i.exec(message)?.[1]
  if (sip !== undefined && !TRUNK_STATUSES.has(sip)) return { kind: 'unclear', ...reason }
  return { kind: 'refused', fault: NO_NUMBER.test(message) ? 'number' : NOT_PERMITTED.test(message) ? 'call' : 'account', ...reason }
}

const Invalid = v.object({ detail: v.array(v.object({ loc: v.array(v.unknown()) })) })
const Problem = v.object({ detail: v.object({ status: ifPresent(v.string()), message: ifPresent(v.string()) }) })

/** Whether a refusal with status 400 or 422 speaks of the agent, the caller number or a limit. */
const isOfAccount = (text: string): boolean => {
  const fields = readPlatformAnswer(Invalid, text)?.detail.flatMap(({ loc }) => loc)
  if (fields) return fields.includes('agent_id') || fields.includes('agent_phone_number_id')
  const { status, message } = readPlatformAnswer(Problem, text)?.detail ?? {}
  return /agent_(?:id|not)|phone_number_(?:id|not)|quota|limit|concurren/i.test(`${status} ${message}`)
}

const classify = ({ status, text }: PlatformAnswer): DialAnswer => {
  const dialled = isPlatformSuccess(status) ? readPlatformAnswer(Dialled, text) : undefined
  if (dialled?.success && dialled.conversation_id !== null) return { kind: 'accepted', platformCallId: dialled.conversation_id }
  if (dialled && !dialled.success && dialled.callSid === null && dialled.sip_call_id === null) return refusal(dialled.message ?? '')
  return notAccepted({ platform: 'ElevenLabs', status, words: text, fault: isOfAccount(text) ? 'account' : undefined })
}

const Found = v.object({
  conversations: v.array(v.object({ conversation_id: v.string(), start_time_unix_secs: ifPresent(v.number()) })),
  has_more: v.boolean(),
})

const readConversation = (ask: Ask, connection: Connection, id: string) =>
  ask(elevenLabsRequest(connection, `/convai/conversations/${encodeURIComponent(id)}`))

const conversationIn = ({ status, text }: PlatformAnswer): ElevenLabsConversation => {
  const conversation = isPlatformSuccess(status) ? readPlatformAnswer(ElevenLabsConversation, text) : undefined
  if (!conversation) throw new Error(`ElevenLabs answered ${status} when asked for a conversation.`)
  return conversation
}

/**
 * Finds a conversation by the call id, which the request sent as the user's id. The list shows no phone numbers, so each record is read.
 */
const find = async (ask: Ask, connection: Connection, dial: Dial): Promise<string | null> => {
  const query = new URLSearchParams({ user_id: dial.callId, agent_id: connection.assistant, page_size: '20' })
  const { status, text } = await ask(elevenLabsRequest(connection, `/convai/conversations?${query}`))
  const page = isPlatformSuccess(status) ? readPlatformAnswer(Found, text) : undefined
  if (!page) throw new Error(`ElevenLabs answered ${status} to the search for a call.`)
  if (page.has_more) throw new Error('ElevenLabs did not list all conversations of this call.')
  const recent = page.conversations.filter(({ start_time_unix_secs: start }) => !start || start * 1000 >= earliestStart(dial))
  const records = await Promise.all(
    recent.map(async ({ conversation_id: id }) => conversationIn(await readConversation(ask, connection, id))),
  )
  const ours = records.filter((record) => !isToOther(numberOfElevenLabs(record), dial.to))
  if (ours.length > 1) throw new Error(`ElevenLabs lists ${ours.length} conversations of this call.`)
  return ours[0]?.conversation_id ?? null
}

const Event = v.object({ type: v.string(), event_timestamp: ifPresent(v.number()), data: ifPresent(v.looseObject({})) })
const Failure = v.object({
  conversation_id: v.pipe(v.string(), v.minLength(1)),
  user_id: ifPresent(v.string()),
  conversation_initiation_client_data: ifPresent(v.object({ dynamic_variables: ifPresent(v.record(v.string(), v.unknown())) })),
  failure_reason: ifPresent(v.string()),
  metadata: ifPresent(v.object({ body: ifPresent(v.record(v.string(), v.unknown())) })),
})

const FAILURES: ReadonlyMap<string, CallEnd> = new Map([
  ['busy', 'busy'],
  ['no-answer', 'no_answer'],
  ['unknown', 'failed'],
])
/** The telephony's own status, as Twilio and SIP trunks name it. */
const SIP_STATUSES = ['sip_status_code', 'SipResponseCode']

const failureEnd = ({ failure_reason: reason, metadata }: v.InferOutput<typeof Failure>): CallEnd => {
  const reported = FAILURES.get(reason ?? '') ?? 'failed'
  const sip = SIP_STATUSES.map((name) => metadata?.body?.[name]).find((status) => status !== undefined)
  return reported === 'failed' ? (endBySipStatus(String(sip)) ?? reported) : reported
}

/** The number that was called, in Twilio's status form. */
const calledInFailure = ({ metadata }: v.InferOutput<typeof Failure>): string | null => {
  const to = metadata?.body?.['To']
  return typeof to === 'string' ? to : null
}

/** Events that repeat what another event reports, or that are not needed. */
const SILENT = /^(post_call_audio|unredacted_|post_call_unredacted|answering_machine_detection)/

const translate = ({ rawBody, at }: Pick<PlatformCallback, 'rawBody' | 'at'>): Translation => {
  const { type, event_timestamp, data } = readPlatformEvent(Event, rawBody)
  const time = instantOr(event_timestamp === null ? null : event_timestamp * 1000, at)
  const read = <S extends v.GenericSchema>(schema: S): v.InferOutput<S> => {
    const found = v.safeParse(schema, data)
    if (!found.success) throw new SyntaxError(`The data of ${type} is not what ElevenLabs documents.`)
    return found.output
  }
  if (type === 'post_call_transcription') {
    const conversation = read(ElevenLabsConversation)
    return {
      callId: callOfElevenLabs(conversation),
      platformCallId: conversation.conversation_id,
      calledNumber: numberOfElevenLabs(conversation),
      ...elevenLabsReports(conversation, time),
    }
  }
  if (type === 'call_initiation_failure') {
    const failure = read(Failure)
    const { conversation_id: platformCallId, failure_reason: reason } = failure
    const reports = endWithOutcome({ platformCallId, time, seconds: 0, end: failureEnd(failure) })
    const isKnown = FAILURES.has(reason ?? '')
    const callId = callOfElevenLabs(failure)
    const about = { callId, isIdInRecord: callId === null, platformCallId, calledNumber: calledInFailure(failure) }
    return { ...about, reports, ...(!isKnown && { unknown: `failure_reason ${reason}` }) }
  }
  const id = data?.['conversation_id']
  const platformCallId = typeof id === 'string' ? id : null
  return { callId: null, platformCallId, reports: [], ...(!SILENT.test(type) && { unknown: `event ${type}` }) }
}

const poll: NonNullable<Adapter['poll']> = async (ask, connection, platformCallId, at) => {
  const answer = await readConversation(ask, connection, platformCallId)
  if (answer.status === 404) return { kind: 'gone' }
  const conversation = conversationIn(answer)
  if (conversation.status === 'initiated') return { kind: 'ongoing', isWaiting: true }
  if (conversation.status === 'in-progress') return { kind: 'ongoing' }
  return {
    kind: 'translated',
    translation: {
      callId: callOfElevenLabs(conversation),
      platformCallId,
      calledNumber: numberOfElevenLabs(conversation),
      ...elevenLabsReports(conversation, at),
    },
  }
}

/** ElevenLabs cannot end a call, and reports a call only after its analysis. */
export const elevenLabsAdapter: Adapter = {
  api: 'https://api.elevenlabs.io',
  needsNumberId: true,
  settings: {
    telephony: { about: 'The connection to the telephone network. Default: `twilio`.', isOptional: true, values: ['twilio', 'sip-trunk'] },
    limit_duration: { about: '`true` if the agent permits to override the longest duration.', isOptional: true, values: ['true', 'false'] },
  },
  repeats: { kind: 'findable' },
  request: dialElevenLabs,
  classify,
  find,
  verify: verifyElevenLabs,
  translate,
  poll,
  tools: elevenLabsTools,
}
