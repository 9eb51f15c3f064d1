import * as v from 'valibot'
import type { Adapter, DialAnswer, PlatformAnswer, PlatformCallback, Translation } from '../adapter.ts'
import { completionOf } from '../analysis.ts'
import { endBeforeOutcome, endUnexplained, endWithOutcome, instantOr, platformReport } from '../end-reports.ts'
import { ifPresent, isPlatformSuccess, notAccepted, ownWords, readPlatformAnswer, readPlatformEvent } from '../read-answer.ts'
import { telnyxEnd } from './ends.ts'
import { analysedByTelnyx, TelnyxInsights, telnyxInsightsOf } from './insights.ts'
import { callOfTelnyxState, dialTelnyx, telnyxRequest } from './request.ts'
import { verifyTelnyx } from './signature.ts'
import { telnyxTools } from './tools.ts'

const Dialled = v.object({ data: v.object({ call_control_id: v.pipe(v.string(), v.minLength(1)) }) })
const Problems = v.object({
  errors: v.pipe(
    v.array(
      v.object({
        code: ifPresent(v.union([v.string(), v.number()])),
        title: ifPresent(v.string()),
        detail: ifPresent(v.string()),
        source: ifPresent(v.object({ pointer: ifPresent(v.string()) })),
      }),
    ),
    v.minLength(1),
  ),
})

/** Error codes for an invalid phone number. */
const NUMBER_CODES = new Set(['10002', '10016'])
const CALL_ENDED = '90018'

type Problem = v.InferOutput<typeof Problems>['errors'][number]

/** The fault that an error code, or its pointer to a field of the request, shows. Undefined without either. */
const faultOf = (status: number, words: string, { code, source }: Problem): 'number' | 'account' | 'call' | undefined => {
  const pointer = source?.pointer ?? ''
  // Error D13: the account may not call this country. It may call others.
  if (status === 403 && /\bD13\b|not whitelisted/i.test(words)) return 'call'
  if (pointer === '/to') return NUMBER_CODES.has(String(code)) ? 'number' : 'call'
  return /^\/(connection_id|from|assistant)/.test(pointer) ? 'account' : undefined
}

const classify = ({ status, text }: PlatformAnswer): DialAnswer => {
  const dialled = isPlatformSuccess(status) ? readPlatformAnswer(Dialled, text) : undefined
  if (dialled) return { kind: 'accepted', platformCallId: dialled.data.call_control_id }
  const problem = readPlatformAnswer(Problems, text)?.errors[0]
  const words = [problem?.title, problem?.detail].filter((part) => part).join(': ')
  const code = /^\d{1,6}$/.test(String(problem?.code)) ? String(problem?.code) : undefined
  const fault = problem && faultOf(status, words, problem)
  // A field of the request concerns one call: with another caller number, the platform may take others.
  const answer = notAccepted({ platform: 'Telnyx', status, code, words, fault, ...(fault && { isWhole: false }) })
  const isRepeat = /command_?id|duplicate/i.test(words)
  return isRepeat ? { kind: 'unclear', reason: answer.reason, ...ownWords(words) } : answer
}

const callPath = (platformCallId: string): string => `/calls/${encodeURIComponent(platformCallId)}`

const cancel: NonNullable<Adapter['cancel']> = async (ask, connection, { platformCallId }) => {
  if (platformCallId === null) return 'refused'
  const { status, text } = await ask(telnyxRequest(connection, `${callPath(platformCallId)}/actions/hangup`, {}))
  if (isPlatformSuccess(status) || status === 404) return 'taken'
  return readPlatformAnswer(Problems, text)?.errors.some(({ code }) => String(code) === CALL_ENDED) ? 'taken' : 'failed'
}

const Payload = v.object({
  call_control_id: ifPresent(v.string()),
  client_state: ifPresent(v.string()),
  to: ifPresent(v.string()),
  start_time: ifPresent(v.string()),
  end_time: ifPresent(v.string()),
  hangup_cause: ifPresent(v.string()),
  hangup_source: ifPresent(v.string()),
  sip_hangup_cause: ifPresent(v.string()),
  results: ifPresent(TelnyxInsights),
  conversation_insights: ifPresent(v.array(v.object({ conversation_insights: TelnyxInsights }))),
})
type Payload = v.InferOutput<typeof Payload>
const Event = v.object({ data: v.object({ event_type: v.string(), occurred_at: ifPresent(v.string()), payload: Payload }) })

/** Events that show only that the call is alive. */
const SILENT =
  /^(call\.(initiated|conversation\.|machine\.|ai_gather\.|cost|deepfake_detection\.|dequeued|dtmf\.|enqueued|fork\.|gather\.|hold|payment\.|playback\.|recording\.|speak\.|transcription|unhold)|(conference|siprec|streaming)\.)/

const parsed = (time: string | null): number | null => (time === null ? null : Date.parse(time))

const hangup = (moment: { platformCallId: string; time: number }, payload: Payload): Pick<Translation, 'reports' | 'unknown'> => {
  const { hangup_cause: cause, hangup_source: source, sip_hangup_cause: sip } = payload
  const known = telnyxEnd(cause ?? '', source, sip)
  const start = parsed(payload.start_time)
  const seconds = start === null || Number.isNaN(start) ? null : Math.round(((parsed(payload.end_time) ?? moment.time) - start) / 1000)
  if (!known) return { reports: endBeforeOutcome({ ...moment, seconds, end: 'unknown' }), unknown: `hangup_cause ${cause}` }
  const { end, talked } = known
  if (talked === null) return { reports: endUnexplained({ ...moment, seconds: null }) }
  return { reports: talked ? endBeforeOutcome({ ...moment, seconds, end }) : endWithOutcome({ ...moment, seconds: 0, end }) }
}

const completion = (
  moment: { platformCallId: string; time: number },
  insights: v.InferOutput<typeof TelnyxInsights>,
): Pick<Translation, 'reports' | 'unknown'> => {
  const { extracted, summary, unknown } = analysedByTelnyx(insights)
  if (!extracted) return { reports: [], ...(unknown !== undefined && { unknown }) }
  return { reports: [platformReport(moment, 'call.completed', completionOf('completed', extracted, summary))] }
}

const translate = ({ rawBody, at }: Pick<PlatformCallback, 'rawBody' | 'at'>): Translation => {
  const { event_type: type, occurred_at, payload } = readPlatformEvent(Event, rawBody).data
  const platformCallId = payload.call_control_id
  const callId = callOfTelnyxState(payload.client_state, payload.to) ?? null
  if (platformCallId === null || callId === null) return { callId: null, platformCallId, reports: [] }
  const about = { callId, platformCallId }
  const moment = { platformCallId, time: instantOr(parsed(occurred_at), at) }
  switch (type) {
    case 'call.answered':
      return { ...about, reports: [platformReport(moment, 'call.answered')] }
    case 'call.refer.started':
      return { ...about, reports: [platformReport(moment, 'call.transfer_initiated', { mode: 'blind' })] }
    case 'call.refer.failed':
      return { ...about, reports: [platformReport(moment, 'call.transfer_ended', { reason: 'failed' })] }
    case 'call.bridged':
    case 'call.refer.completed':
      return { ...about, reports: [platformReport(moment, 'call.transfer_connected')] }
    case 'call.hangup':
      return { ...about, ...hangup(moment, payload) }
    case 'call.conversation_insights.generated':
      return { ...about, ...completion(moment, payload.results ?? []) }
    case 'call.analyzed':
      return { ...about, ...completion(moment, payload.conversation_insights?.flatMap((all) => all.conversation_insights) ?? []) }
    default:
      return { ...about, reports: [], ...(!SILENT.test(type) && { unknown: `event ${type}` }) }
  }
}

const Status = v.object({
  data: v.object({ is_alive: v.boolean(), end_time: ifPresent(v.string()), call_duration: ifPresent(v.number()) }),
})

/** The status of a Telnyx call does not show how the call ended. Only its insights do. */
const poll: NonNullable<Adapter['poll']> = async (ask, connection, platformCallId, at) => {
  const { status, text } = await ask(telnyxRequest(connection, callPath(platformCallId)))
  const call = isPlatformSuccess(status) ? readPlatformAnswer(Status, text)?.data : undefined
  if (!call && status !== 404) throw new Error(`Telnyx answered ${status} when asked for a call.`)
  // Before Telnyx has dialled, `is_alive` is false too.
  if (call && (call.is_alive || call.end_time === null)) return { kind: 'ongoing', ...(!call.is_alive && { isWaiting: true }) }
  const { talked, analysed } = await telnyxInsightsOf(ask, connection, platformCallId)
  if (!call && !talked) return { kind: 'gone' }
  const ended = { platformCallId, time: instantOr(parsed(call?.end_time ?? null), at), seconds: call?.call_duration ?? null }
  const { extracted, summary, unknown } = analysed
  const reports = extracted
    ? endWithOutcome({ ...ended, end: 'completed' }, extracted, summary)
    : endBeforeOutcome({ ...ended, end: talked ? 'completed' : 'unknown' })
  return { kind: 'translated', translation: { callId: null, platformCallId, reports, ...(unknown !== undefined && { unknown }) } }
}

/** Calls of AI assistants through the Voice API. */
export const telnyxAdapter: Adapter = {
  api: 'https://api.telnyx.com/v2',
  callbackSecret: {
    pattern: /^[A-Za-z0-9+/]{43}=$/,
    rule: "This is no public key: 32 bytes in base64 are required. Copy the public key from Telnyx's portal.",
  },
  settings: {
    connection_id: {
      about: 'The id of the Voice API application.',
      form: { pattern: /^\d{1,30}$/, rule: 'Digits are required, in quotes: the id of a Voice API application.' },
    },
  },
  repeats: { kind: 'repeatable', seconds: 60 },
  request: dialTelnyx,
  classify,
  cancel,
  verify: verifyTelnyx,
  translate,
  poll,
  tools: telnyxTools,
}
