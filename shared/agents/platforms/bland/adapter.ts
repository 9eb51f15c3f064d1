import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { dayOf } from '../../../platform/values/day.ts'
import { DAY } from '../../../platform/values/durations.ts'
import type { Adapter, Connection, Dial, PlatformRequest } from '../adapter.ts'
import { ANALYSIS_SCHEMA, SPOKEN_OUTCOMES } from '../analysis.ts'
import { earliestStart } from '../own-call.ts'
import { ifPresent, isPlatformSuccess, notAccepted, ownWords, readPlatformAnswer, readPlatformEvent } from '../read-answer.ts'
import { BlandCall, blandTranslation, isBlandCallOver, isBlandCallWaiting } from './record.ts'
import { blandRequest } from './requests.ts'
import { blandTools, OUR_CALL_ID } from './tools.ts'

const PAGE = 1000

const { outcome, callback_time, message_left } = ANALYSIS_SCHEMA.properties

/** The fields that Bland extracts after each call. Bland wants a description of each. */
const BLAND_ANALYSIS = {
  outcome: `One of ${SPOKEN_OUTCOMES.join(', ')}. ${outcome.description}`,
  callback_time: callback_time.description,
  message_left: `true or false. ${message_left.description}`,
}

const Fault = v.union([
  v.string(),
  v.pipe(
    v.object({ error: ifPresent(v.string()), message: ifPresent(v.string()) }),
    v.transform(({ error, message }) => `${error ?? ''} ${message ?? ''}`.trim()),
  ),
])
const Answer = v.object({
  status: ifPresent(v.string()),
  call_id: ifPresent(v.pipe(v.string(), v.minLength(1))),
  message: ifPresent(v.string()),
  errors: ifPresent(v.array(Fault)),
})
type Answer = v.InferOutput<typeof Answer>

const messageOf = ({ errors, message }: Answer): string => [...(errors ?? []), message ?? ''].join(' ').trim()

/** Errors of a plan that bars one destination. The account may still call other numbers. */
const OF_THE_DESTINATION = /DESTINATION_BLOCKED|UNPAID_INTL_BLOCK/
/** Errors about the account's limits or balance, the pathway or persona, or the caller number. */
const OF_THE_ACCOUNT = /CALL_RL_|AUTH_FAILURE|balance|credit|pathway|persona|from number/i
/** Documented error codes that Bland gives to every call of an account. */
const OF_EVERY_CALL = /\b(CALL_RL_PLAN_|AUTH_FAILURE)/

/** A limit of calls to one number, or words about one number. Bland may still accept calls to other numbers. */
const OF_ONE_NUMBER = /\bCALL_RL_|\bthis number\b/i

/** Whether every call of the account is refused. Undefined when the message does not show this. */
const isWhole = (message: string): boolean | undefined => {
  if (OF_EVERY_CALL.test(message)) return true
  return OF_ONE_NUMBER.test(message) ? false : undefined
}

const faultOf = (message: string): 'account' | 'call' | undefined => {
  if (OF_THE_DESTINATION.test(message)) return 'call'
  return OF_THE_ACCOUNT.test(message) ? 'account' : undefined
}

/** `pathway` unless the agent's settings say otherwise. */
const speaker = ({ assistant, settings }: Connection) => {
  if (settings['assistant_type'] === 'persona') return { persona_id: assistant }
  const version = settings['pathway_version']
  return { pathway_id: assistant, ...(version && { pathway_version: Number(version) }) }
}

const callPath = (platformCallId: string): string => `/v1/calls/${encodeURIComponent(platformCallId)}`

/** Without a message, Bland hangs up when a machine answers. */
const voicemail = ({ settings }: Connection) =>
  settings['voicemail_message'] ? { voicemail: { action: 'leave_message', message: settings['voicemail_message'] } } : {}

/** Our variable gets another name, because Bland has its own variable `call_id`. */
const variablesOf = ({ callId, variables: { call_id: _, ...variables } }: Dial) => ({ ...variables, [OUR_CALL_ID]: callId })

const dialRequest = (connection: Connection, dial: Dial): PlatformRequest =>
  blandRequest(connection, 'POST', '/v1/calls', {
    phone_number: dial.to,
    from: dial.from.number,
    ...speaker(connection),
    request_data: variablesOf(dial),
    metadata: { call_id: dial.callId },
    ...(dial.callbackUrl !== null && { webhook: dial.callbackUrl }),
    // Minutes.
    max_duration: Math.max(1, Math.floor(dial.longestSeconds / 60)),
    // Without this, some accounts do not tell whether a machine answered.
    answered_by_enabled: true,
    ...voicemail(connection),
    dispositions: SPOKEN_OUTCOMES,
    analysis_schema: BLAND_ANALYSIS,
  })

const Calls = v.object({ calls: v.array(BlandCall), count: ifPresent(v.number()), total_count: ifPresent(v.number()) })

export const blandAdapter: Adapter = {
  api: 'https://api.bland.ai',
  settings: {
    assistant_type: { about: 'The kind of the assistant. Default: `pathway`.', isOptional: true, values: ['pathway', 'persona'] },
    pathway_version: {
      about: 'The version of the pathway.',
      isOptional: true,
      form: { pattern: /^\d{1,9}$/, rule: 'A whole number is required.' },
    },
    voicemail_message: { about: 'What to say to a machine. Without this text, the assistant hangs up.', isOptional: true },
  },
  repeats: { kind: 'findable' },
  request: dialRequest,

  classify: ({ status, text }) => {
    const body = readPlatformAnswer(Answer, text)
    if (!isPlatformSuccess(status)) {
      const words = body ? messageOf(body) : ''
      return notAccepted({ platform: 'Bland', status, words, fault: faultOf(words), isWhole: isWhole(words) })
    }
    if (body?.status === 'success' && body.call_id !== null) return { kind: 'accepted', platformCallId: body.call_id }
    if (body?.status !== 'error' || body.call_id !== null)
      return { kind: 'unclear', reason: `Bland answered ${status} without success and call_id.` }
    const message = messageOf(body)
    return {
      kind: 'refused',
      fault: faultOf(message) ?? 'call',
      isWhole: isWhole(message) === true,
      reason: 'Bland refused the call.',
      ...ownWords(message),
    }
  },

  /** A list shows no metadata, so every call to the number since the intent is read. */
  find: async (ask, connection, { callId, to, intentTime }) => {
    const get = async (path: string): Promise<string> => {
      const { status, text } = await ask(blandRequest(connection, 'GET', path))
      if (status !== 200) throw new Error(`Bland answered ${status} to a search for a call.`)
      return text
    }
    const since = dayOf(intentTime - DAY)
    const list = await get(`/v1/calls?to_number=${encodeURIComponent(to)}&start_date=${since}&limit=${PAGE}`)
    const { calls, count, total_count } = readPlatformEvent(Calls, list)
    for (const { call_id, created_at } of calls) {
      if (Date.parse(created_at ?? '') < earliestStart({ intentTime })) continue
      const call = readPlatformEvent(BlandCall, await get(callPath(call_id)))
      if (call.metadata?.call_id === callId) return call_id
    }
    if (Math.max(count ?? 0, total_count ?? 0) > calls.length || calls.length >= PAGE) throw new Error('Bland listed not all of the calls.')
    return null
  },

  cancel: async (ask, connection, { platformCallId }) => {
    if (platformCallId === null) return 'refused'
    const { status, text } = await ask(blandRequest(connection, 'POST', `${callPath(platformCallId)}/stop`))
    if (status === 200 && readPlatformAnswer(Answer, text)?.status === 'success') return 'taken'
    // Stopping may fail because Bland has not dialled yet, or because the call is over: the record shows which.
    const record = await ask(blandRequest(connection, 'GET', callPath(platformCallId)))
    const call = readPlatformAnswer(BlandCall, record.text)
    return record.status === 404 || (call !== undefined && isBlandCallOver(call)) ? 'taken' : 'failed'
  },

  /** Bland's signature covers no time, so its age cannot be checked. */
  verify: ({ callbackSecret }, { rawBody, headers }) => {
    const signature = headers['x-webhook-signature'] ?? ''
    if (!callbackSecret || !/^[0-9a-f]{64}$/i.test(signature)) return false
    return timingSafeEqual(createHmac('sha256', callbackSecret).update(rawBody).digest(), Buffer.from(signature, 'hex'))
  },

  translate: ({ url, rawBody, at }) => blandTranslation(readPlatformEvent(BlandCall, rawBody), url, at),

  poll: async (ask, connection, platformCallId, at) => {
    const { status, text } = await ask(blandRequest(connection, 'GET', callPath(platformCallId)))
    if (status === 404) return { kind: 'gone' }
    if (status !== 200) throw new Error(`Bland answered ${status} about a call.`)
    const call = readPlatformEvent(BlandCall, text)
    if (isBlandCallOver(call)) return { kind: 'translated', translation: blandTranslation(call, '', at) }
    return { kind: 'ongoing', ...(isBlandCallWaiting(call) && { isWaiting: true }) }
  },

  tools: blandTools,
}
