import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Adapter } from '../adapter.ts'
import { earliestStart, isToOther } from '../own-call.ts'
import { ifPresent, notAccepted, readPlatformAnswer, readPlatformEvent } from '../read-answer.ts'
import { isRetellCallOver, RetellCall, RetellCallback, retellRecord, retellTranslation } from './record.ts'
import { retellGet, retellPost } from './requests.ts'
import { retellTools } from './tools.ts'

/** Retell lets a conversation last between a minute and two hours. */
const SHORTEST_MS = 60_000
const LONGEST_MS = 7_200_000
/** Largest difference, in either direction, between a signature's time and its arrival. */
const TOLERANCE_MS = 5 * 60_000

const EVENTS = [
  'call_started',
  'call_ended',
  'call_analyzed',
  'transfer_started',
  'transfer_bridged',
  'transfer_cancelled',
  'transfer_ended',
]

const Created = v.object({ call_id: v.pipe(v.string(), v.minLength(1)) })
const Refused = v.object({ message: ifPresent(v.string()) })
const Calls = v.object({ items: v.array(RetellCall), has_more: v.boolean() })

/** Texts that blame the assistant or the caller number. No text blames the number that is called. */
const OF_THE_ACCOUNT = /cannot find|from_number|agent/i

/** Retell answers 422 with this text when it does not know the call. */
const isUnknownCall = (status: number, text: string): boolean => status === 404 || (status === 422 && /cannot find/i.test(text))

export const retellAdapter: Adapter = {
  api: 'https://api.retellai.com',
  callbackSecret: null,
  settings: {
    agent_version: {
      about: 'The version of the agent: its number, or a tag of it.',
      isOptional: true,
      form: { pattern: /^[\w.-]{1,100}$/, rule: 'A number or a tag is required: letters, digits, ., _ and -.' },
    },
  },
  repeats: { kind: 'findable' },
  refusesLate: true,

  request: (connection, { callId, to, from, variables, callbackUrl, longestSeconds }) => {
    const version = connection.settings['agent_version']
    return retellPost(connection, '/v2/create-phone-call', {
      from_number: from.number,
      to_number: to,
      override_agent_id: connection.assistant,
      ...(version && { override_agent_version: /^\d+$/.test(version) ? Number(version) : version }),
      agent_override: {
        agent: {
          ...(callbackUrl !== null && { webhook_url: callbackUrl, webhook_events: EVENTS }),
          max_call_duration_ms: Math.min(LONGEST_MS, Math.max(SHORTEST_MS, longestSeconds * 1000)),
        },
      },
      metadata: { call_id: callId },
      retell_llm_dynamic_variables: variables,
    })
  },

  classify: ({ status, text }) => {
    if (status === 200 || status === 201) {
      const created = readPlatformAnswer(Created, text)
      return created
        ? { kind: 'accepted', platformCallId: created.call_id }
        : { kind: 'unclear', reason: `Retell answered ${status} without a call_id.` }
    }
    const words = readPlatformAnswer(Refused, text)?.message
    return notAccepted({ platform: 'Retell', status, words, fault: OF_THE_ACCOUNT.test(words ?? '') ? 'account' : undefined })
  },

  find: async (ask, connection, dial) => {
    const filter = { type: 'string', op: 'eq', key: 'call_id', value: dial.callId }
    const { status, text } = await ask(retellPost(connection, '/v3/list-calls', { filter_criteria: { metadata: [filter] } }))
    if (status !== 200) throw new Error(`Retell answered ${status} to a search for a call.`)
    const { items, has_more } = readPlatformEvent(Calls, text)
    const ours = items.filter(({ metadata, to_number }) => metadata?.call_id === dial.callId && !isToOther(to_number, dial.to))
    const found = ours.find(({ start_timestamp: start }) => start === null || start >= earliestStart(dial))
    if (!found && has_more) throw new Error('Retell listed other calls, and not all of them.')
    return found?.call_id ?? null
  },

  cancel: async (ask, connection, { platformCallId }) => {
    if (platformCallId === null) return 'refused'
    const id = encodeURIComponent(platformCallId)
    const { status, text } = await ask(retellPost(connection, `/v2/stop-call/${id}`))
    if (status === 204 || status === 200 || isUnknownCall(status, text)) return 'taken'
    // Retell stops only calls in progress. A ringing call can be stopped later, and a call that is over needs no stop.
    const call = await ask(retellGet(connection, `/v2/get-call/${id}`))
    const record = readPlatformAnswer(RetellCall, call.text)
    return record !== undefined && isRetellCallOver(record) ? 'taken' : 'failed'
  },

  verify: ({ apiKey }, { rawBody, headers, at }) => {
    const [, sent, digest] = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i.exec(headers['x-retell-signature'] ?? '') ?? []
    if (apiKey === '' || sent === undefined || digest === undefined || Math.abs(at - Number(sent)) > TOLERANCE_MS) return false
    const expected = createHmac('sha256', apiKey).update(`${rawBody}${Number(sent)}`)
    return timingSafeEqual(expected.digest(), Buffer.from(digest, 'hex'))
  },

  translate: ({ url, rawBody, at }) => retellTranslation(readPlatformEvent(RetellCallback, rawBody), url, at),

  poll: async (ask, connection, platformCallId, at) => {
    const { status, text } = await ask(retellGet(connection, `/v2/get-call/${encodeURIComponent(platformCallId)}`))
    if (isUnknownCall(status, text)) return { kind: 'gone' }
    if (status !== 200) throw new Error(`Retell answered ${status} about a call.`)
    const call = readPlatformEvent(RetellCall, text)
    if (isRetellCallOver(call)) return { kind: 'translated', translation: retellRecord(call, at) }
    const about = { callId: call.metadata?.call_id ?? null, calledNumber: call.to_number }
    return { kind: 'ongoing', ...about, ...(call.call_status === 'registered' && { isWaiting: true }) }
  },

  tools: retellTools,
}
