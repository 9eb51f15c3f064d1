import * as v from 'valibot'
import { MINUTE } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Adapter, Ask, Connection, Dial, DialAnswer, PlatformAnswer } from '../adapter.ts'
import { earliestStart, isToOther, latestRequest } from '../own-call.ts'
import {
  foreignTime,
  ifPresent,
  isAccountStatus,
  isPlatformSuccess,
  isUsualRefusal,
  notAccepted,
  readPlatformAnswer,
} from '../read-answer.ts'
import { endReports, extractedByVapi, translateVapi, VapiCall, vapiCallIdOf } from './events.ts'
import { vapiDial, vapiRequest } from './request.ts'
import { verifyVapi } from './signature.ts'
import { vapiTools } from './tools.ts'

const Problem = v.object({ message: ifPresent(v.union([v.string(), v.array(v.string())])) })

/** Vapi's words for an invalid number, and for something that is missing or used up. All of them come with status 400. */
const BAD_NUMBER = /customer\.number must be a valid/i
const ACCOUNT_WORDS = /limit|concurren|phoneNumberId|assistantId|credential|couldn.t (get|find)|subscription|wallet|credits|billing|frozen/i

const refusal = (status: number, words: string): 'number' | 'account' | 'call' => {
  if (isAccountStatus(status)) return 'account'
  if (BAD_NUMBER.test(words)) return 'number'
  return ACCOUNT_WORDS.test(words) ? 'account' : 'call'
}

const Dialled = v.object({ ...VapiCall.entries, subscriptionLimits: ifPresent(v.object({ concurrencyBlocked: ifPresent(v.boolean()) })) })

/**
 * A call beyond the concurrency limit is accepted too. Vapi's documentation says both that such calls wait for a free line, and that they
 * do not start. A call that does not start reports its end. Further calls would only add to the queue.
 */
const classify = ({ status, text }: PlatformAnswer): DialAnswer => {
  const call = isPlatformSuccess(status) ? readPlatformAnswer(Dialled, text) : undefined
  if (call) {
    const isFull = call.subscriptionLimits?.concurrencyBlocked
    return {
      kind: 'accepted',
      platformCallId: call.id,
      ...(isFull && { warning: 'The limit of calls at the same time is reached at Vapi.' }),
    }
  }
  const words = [readPlatformAnswer(Problem, text)?.message ?? ''].flat().join('; ')
  return notAccepted({ platform: 'Vapi', status, words, fault: refusal(status, words), isRefusal: isUsualRefusal })
}

/** Vapi lists at most this many calls. */
const MOST_LISTED = 1000

/** Vapi lists calls by caller number and time, not by our id. */
const find = async (ask: Ask, connection: Connection, dial: Dial): Promise<string | null> => {
  const query = new URLSearchParams({
    limit: String(MOST_LISTED),
    createdAtGe: new Date(earliestStart(dial)).toISOString(),
    createdAtLe: new Date(latestRequest(dial)).toISOString(),
    ...(dial.from.id !== null && { phoneNumberId: dial.from.id }),
  })
  const { status, text } = await ask(vapiRequest(connection, 'GET', `/call?${query}`))
  const calls = status === 200 ? readPlatformAnswer(v.array(VapiCall), text) : undefined
  if (!calls) throw new Error(`Vapi did not list its calls, but answered ${status}.`)
  const ours = calls.find((call) => vapiCallIdOf(call) === dial.callId && !isToOther(call.customer?.number ?? null, dial.to))
  if (!ours && calls.length >= MOST_LISTED) throw new Error(`Vapi listed ${calls.length} calls, and may have more.`)
  return ours?.id ?? null
}

const recordOf = async (ask: Ask, connection: Connection, id: string) => {
  const { status, text } = await ask(vapiRequest(connection, 'GET', `/call/${encodeURIComponent(id)}`))
  const isAbsent = status === 404 && readPlatformAnswer(Problem, text) !== undefined
  return { status, isAbsent, call: status === 200 ? readPlatformAnswer(VapiCall, text) : undefined }
}

/** Statuses that a repeated request would get again, until somebody changes the key or the call. */
const FORBIDDEN = new Set([401, 403])

/**
 * Vapi documents the control URL for live calls. If Vapi refuses while the phone rings, the next try may come after the answer. A call in
 * progress without such a URL cannot be ended.
 */
const cancel: NonNullable<Adapter['cancel']> = async (ask, connection, { platformCallId }) => {
  if (platformCallId === null) return 'refused'
  const { status, isAbsent, call } = await recordOf(ask, connection, platformCallId)
  if (isAbsent || call?.status === 'ended') return 'taken'
  if (FORBIDDEN.has(status)) return 'refused'
  const url = call?.monitor?.controlUrl
  if (!url || !URL.canParse(url)) return call?.status === 'in-progress' ? 'refused' : 'failed'
  // Send no API key: the control URL may belong to another host than Vapi's API.
  const headers = { 'content-type': 'application/json' }
  const answer = await ask({ method: 'POST', url, headers, body: JSON.stringify({ type: 'end-call' }) })
  if (answer.status >= 200 && answer.status < 300) return 'taken'
  return FORBIDDEN.has(answer.status) ? 'refused' : 'failed'
}

/** Vapi analyses a conversation after its end. Without an outcome after this time, no outcome will follow. */
const ANALYSIS_TAKES = 5 * MINUTE

const isAnalysed = (call: VapiCall, at: Instant): boolean => {
  const ended = foreignTime(call.endedAt)
  const isTalk = call.startedAt !== null && ended !== null
  return !isTalk || extractedByVapi(call) !== undefined || at >= Date.parse(ended) + ANALYSIS_TAKES
}

const UNANSWERED = new Set<string | null>(['scheduled', 'queued', 'ringing'])

const poll: NonNullable<Adapter['poll']> = async (ask, connection, platformCallId, at) => {
  const { status, isAbsent, call } = await recordOf(ask, connection, platformCallId)
  if (isAbsent) return { kind: 'gone' }
  if (!call) throw new Error(`Vapi did not return call ${platformCallId}, but answered ${status}.`)
  if (call.status !== 'ended') return { kind: 'ongoing', ...(UNANSWERED.has(call.status) && { isWaiting: true }) }
  const reports = endReports(call, new Date(at).toISOString(), isAnalysed(call, at))
  return { kind: 'translated', translation: { callId: vapiCallIdOf(call), platformCallId: call.id, ...reports } }
}

export const vapiAdapter: Adapter = {
  api: 'https://api.vapi.ai',
  // A callback carries no other proof of its sender.
  callbackSecret: {
    pattern: /^whsec_(?=.{32,}$)[A-Za-z0-9+/]+={0,2}$/,
    rule: 'The secret must be whsec_ and at least 24 random bytes in base64. Vapi gets it without whsec_: `agents check` prints how.',
  },
  needsNumberId: true,
  settings: {
    credential_id: { about: 'The id of the credential with which Vapi signs its callbacks.', isOptional: true },
    voicemail_detection: {
      about: 'The provider that detects a machine.',
      isOptional: true,
      values: ['vapi', 'google', 'openai', 'twilio', 'off'],
    },
    voicemail_message: { about: 'What to say to a machine.', isOptional: true },
  },
  repeats: { kind: 'findable' },
  refusesLate: true,
  request: vapiDial,
  classify,
  find,
  cancel,
  verify: verifyVapi,
  translate: translateVapi,
  poll,
  tools: vapiTools,
}
