import * as v from 'valibot'
import type { Instant } from '../../../platform/values/values.ts'
import type { Adapter, Ask, Connection, Dial, DialAnswer, PlatformAnswer, PlatformCallback, Translation } from '../adapter.ts'
import { endBeforeOutcome, endUnexplained, endWithOutcome, instantOr, platformReport } from '../end-reports.ts'
import type { CallEnd, OpenReport } from '../open-report.ts'
import { earliestStart, latestRequest } from '../own-call.ts'
import { ownCodeTools } from '../own-code.ts'
import { callIdOf, ifPresent, isPlatformSuccess, notAccepted, readPlatformAnswer } from '../read-answer.ts'
import { endBySipStatus } from '../sip-status.ts'
import { dialTwilio, twilioRequest } from './request.ts'
import { verifyTwilio } from './signature.ts'

const TwilioCall = v.object({
  sid: v.pipe(v.string(), v.minLength(1)),
  status: ifPresent(v.string()),
  date_created: ifPresent(v.string()),
  end_time: ifPresent(v.string()),
  duration: ifPresent(v.string()),
  answered_by: ifPresent(v.string()),
})
const TwilioCalls = v.object({ calls: v.array(TwilioCall), next_page_uri: v.nullable(v.string()) })
const TwilioProblem = v.object({ code: v.number(), message: ifPresent(v.string()) })

/** Errors that every call of the account gets: the account itself, its balance and limits. */
const WHOLE_CODES = new Set([10001, 10002, 10004, 20003, 20005, 20429])
/** Errors of the caller number or the TwiML URL, and of numbers that a trial account may not call. */
const ACCOUNT_CODES = new Set([21205, 21210, 21212, 21213, 21219])
/** The number to call is not a phone number. */
const NUMBER_CODES = new Set([21211, 21217])
/** The account may not call this number, or cannot reach it. */
const CALL_CODES = new Set([21214, 21215, 21216])
/** The call is over already. */
const INVALID_CALL_STATE = 21220

/** The fault that a code shows; undefined when the code is not known. */
const faultOf = (code: number): 'number' | 'account' | 'call' | undefined => {
  if (WHOLE_CODES.has(code) || ACCOUNT_CODES.has(code)) return 'account'
  if (NUMBER_CODES.has(code)) return 'number'
  return CALL_CODES.has(code) ? 'call' : undefined
}

const classify = ({ status, text }: PlatformAnswer): DialAnswer => {
  const call = isPlatformSuccess(status) ? readPlatformAnswer(TwilioCall, text) : undefined
  if (call) return { kind: 'accepted', platformCallId: call.sid }
  const problem = readPlatformAnswer(TwilioProblem, text)
  const { code, message: words } = { code: 0, ...problem }
  const fault = faultOf(code)
  const isWhole = fault && WHOLE_CODES.has(code)
  return notAccepted({ platform: 'Twilio', status, code: problem && `${code}`, words, fault, isWhole })
}

/**
 * Twilio stores no id of ours. A match by numbers and time may be somebody else's call, so it is used only when no reports can arrive.
 */
const find = async (ask: Ask, connection: Connection, dial: Dial): Promise<string | null> => {
  const { to, from, intentTime, callbackUrl } = dial
  const query = new URLSearchParams({ To: to, From: from.number, PageSize: '50' })
  const { status, text } = await ask(twilioRequest(connection, `/Calls.json?${query}`))
  const page = isPlatformSuccess(status) ? readPlatformAnswer(TwilioCalls, text) : undefined
  if (!page) throw new Error(`Twilio answered ${status} to the search for a call.`)
  // A call that was only just queued has no date yet.
  const listed = page.calls.map(({ sid, date_created }) => ({ sid, time: date_created === null ? intentTime : Date.parse(date_created) }))
  const ours = listed.filter(({ time }) => !(time < earliestStart(dial) || time > latestRequest(dial)))
  if (ours.length > 0 && callbackUrl !== null)
    throw new Error('Twilio lists a call that may be the one. If it is, Twilio reports it with our id of the call.')
  if (ours.length > 1) throw new Error(`Twilio lists ${ours.length} calls from ${from.number} that may be the one.`)
  const isWhole = page.next_page_uri === null || listed.some(({ time }) => time < earliestStart(dial))
  if (!isWhole) throw new Error('Twilio did not list all calls of this time.')
  return ours[0]?.sid ?? null
}

const callPath = (platformCallId: string): string => `/Calls/${encodeURIComponent(platformCallId)}.json`

/**
 * Sends two requests. The first ends a call only while it is unanswered. The second ends any call, but then Twilio does not show that
 * nobody answered.
 */
const cancel: NonNullable<Adapter['cancel']> = async (ask, connection, { platformCallId }) => {
  if (platformCallId === null) return 'refused'
  const becomes = (status: string) => ask(twilioRequest(connection, callPath(platformCallId), new URLSearchParams({ Status: status })))
  const unanswered = await becomes('canceled')
  if (unanswered.status === 404) return 'taken'
  const call = isPlatformSuccess(unanswered.status) ? readPlatformAnswer(TwilioCall, unanswered.text) : undefined
  if (call && call.status !== 'in-progress') return 'taken'
  const talking = await becomes('completed')
  const isOver = isPlatformSuccess(talking.status) || readPlatformAnswer(TwilioProblem, talking.text)?.code === INVALID_CALL_STATE
  return isOver ? 'taken' : 'failed'
}

const ENDS: ReadonlyMap<string, CallEnd> = new Map([
  ['completed', 'completed'],
  ['busy', 'busy'],
  ['no-answer', 'no_answer'],
  ['failed', 'failed'],
  ['canceled', 'cancelled'],
])
const UNANSWERED = new Set(['queued', 'initiated', 'ringing'])
const isOngoing = (status: string): boolean => status === 'in-progress' || UNANSWERED.has(status)
const MACHINES = new Set(['machine_start', 'machine_end_beep', 'machine_end_silence', 'machine_end_other', 'fax'])
const OTHER_VERDICTS = new Set(['human', 'unknown'])

interface Ended {
  readonly platformCallId: string
  readonly time: Instant
  readonly status: string
  readonly seconds: string | null
  readonly answeredBy: string | null
  readonly sipStatus: string | null
  readonly isRecord?: true
}

/**
 * The reports of a call's end. The customer's own agent reports the outcome of an answered call, so an outcome from Twilio is only
 * presumed. The last callback may lack the verdict about a machine, which came in a callback of its own. The record has it.
 */
const reportsOfEnd = ({ platformCallId, time, status, seconds, answeredBy, sipStatus, isRecord }: Ended): readonly OpenReport[] => {
  const ended = { platformCallId, time, seconds: seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : null }
  if (status === 'completed' && answeredBy === null && !isRecord) return endUnexplained(ended)
  if (status === 'completed') return endBeforeOutcome({ ...ended, end: MACHINES.has(answeredBy ?? '') ? 'voicemail' : 'completed' })
  const end = ENDS.get(status)
  if (!end) return endBeforeOutcome({ ...ended, end: 'unknown' })
  return endWithOutcome({ ...ended, end: (end === 'failed' && endBySipStatus(sipStatus)) || end })
}

const translate = ({ url, rawBody, at }: Pick<PlatformCallback, 'url' | 'rawBody' | 'at'>): Translation => {
  const form = new URLSearchParams(rawBody)
  const platformCallId = form.get('CallSid')
  const status = form.get('CallStatus')
  const answeredBy = form.get('AnsweredBy')
  if (!platformCallId || (status === null && answeredBy === null)) throw new SyntaxError('The body is not a status callback of Twilio.')
  const about = { callId: callIdOf(url), platformCallId }
  const time = instantOr(Date.parse(form.get('Timestamp') ?? ''), at)
  if (status === null) {
    const isKnown = answeredBy === null || MACHINES.has(answeredBy) || OTHER_VERDICTS.has(answeredBy)
    return { ...about, reports: [], ...(!isKnown && { unknown: `AnsweredBy ${answeredBy}` }) }
  }
  if (status === 'in-progress') return { ...about, reports: [platformReport({ platformCallId, time }, 'call.answered')] }
  if (isOngoing(status)) return { ...about, reports: [] }
  const seconds = form.get('CallDuration')
  const isKnown = ENDS.has(status)
  // Only the last callback of a call has a duration.
  const isEnd = isKnown || seconds !== null
  const reports = isEnd ? reportsOfEnd({ platformCallId, time, status, seconds, answeredBy, sipStatus: form.get('SipResponseCode') }) : []
  return { ...about, reports, ...(!isKnown && { unknown: `CallStatus ${status}` }) }
}

const poll: NonNullable<Adapter['poll']> = async (ask, connection, platformCallId, at) => {
  const { status, text } = await ask(twilioRequest(connection, callPath(platformCallId)))
  if (status === 404) return { kind: 'gone' }
  const call = isPlatformSuccess(status) ? readPlatformAnswer(TwilioCall, text) : undefined
  if (!call?.status) throw new Error(`Twilio answered ${status} when asked for a call.`)
  if (isOngoing(call.status)) return { kind: 'ongoing', ...(UNANSWERED.has(call.status) && { isWaiting: true }) }
  const time = instantOr(Date.parse(call.end_time ?? ''), at)
  const { duration: seconds, answered_by: answeredBy } = call
  const reports = reportsOfEnd({ platformCallId, time, status: call.status, seconds, answeredBy, sipStatus: null, isRecord: true })
  const unknown = !ENDS.has(call.status) && { unknown: `CallStatus ${call.status}` }
  return { kind: 'translated', translation: { callId: null, platformCallId, reports, ...unknown } }
}

/** The conversation is the customer's own TwiML or media stream. */
export const twilioAdapter: Adapter = {
  api: 'https://api.twilio.com',
  callbackSecret: null,
  assistantForm: { pattern: /^https:\/\/[^\s/]\S*$/i, rule: 'The https URL of your TwiML is required.' },
  settings: {
    account_sid: {
      about: 'The SID of the account, such as AC00000000000000000000000000000001.',
      form: { pattern: /^AC[0-9a-f]{32}$/i, rule: 'AC and 32 hexadecimal digits are required.' },
    },
  },
  repeats: { kind: 'findable' },
  request: dialTwilio,
  classify,
  find,
  cancel,
  verify: verifyTwilio,
  translate,
  poll,
  tools: ownCodeTools,
}
