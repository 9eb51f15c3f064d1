import { createHmac } from 'node:crypto'
import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import { callbackSender } from './callbacks.ts'
import { type ElevenLabsWorkspace, elevenLabsProblem, elevenLabsRefusal, readElevenLabs } from './elevenlabs-contract.ts'
import { type Answer, type Emulator, listen, type Reply, type Rung } from './emulator.ts'

/** How a call goes. */
export interface ElevenLabsScript {
  /** Nobody answers: the reason and the telephony's own words. */
  readonly failure?: { readonly reason: string; readonly metadata?: object }
  /** Stays in this status. */
  readonly stays?: 'initiated' | 'in-progress' | 'processing'
  readonly result?: string
  readonly reason?: string
  readonly error?: string
  readonly tools?: readonly object[]
  readonly collected?: Readonly<Record<string, unknown>>
  /** The answer to the dial is this refusal. */
  readonly refusal?: string
}

const sip = (sip_status_code: number) => ({ type: 'sip', body: { sip_status_code, error_reason: 'Rejected' } })
const twilio = (CallStatus: string, SipResponseCode: string) => ({ type: 'twilio', body: { CallStatus, SipResponseCode, CallSid: 'CA1' } })

/** By the last four digits of the number. */
const ELEVENLABS_SCRIPTS: Readonly<Record<string, ElevenLabsScript>> = {
  '0002': { failure: { reason: 'no-answer', metadata: twilio('no-answer', '487') } },
  '0003': {
    tools: [{ result_type: 'voicemail_detection_success', status: 'success', voicemail_message: 'Call us.' }],
    reason: 'voicemail_detection tool was called.',
  },
  '0004': { failure: { reason: 'busy', metadata: sip(486) } },
  '0005': { failure: { reason: 'unknown', metadata: twilio('failed', '404') } },
  '0006': { failure: { reason: 'unknown', metadata: sip(503) } },
  '0007': { collected: { outcome: 'do_not_call' }, reason: 'Call ended by remote party' },
  '0008': { stays: 'initiated' },
  '0009': { stays: 'in-progress' },
  '0010': { reason: 'Call ended by remote party' },
  '0011': { tools: [{ result_type: 'transfer_to_number_twilio_success', transfer_number: '+12125550199', conference_name: 'c1' }] },
  '0012': { tools: [{ result_type: 'transfer_to_number_sip_success', transfer_number: '+12125550199' }] },
  '0013': { tools: [{ result_type: 'transfer_to_number_error', status: 'error', error: 'busy' }] },
  '0014': { result: 'voicemail' },
  '0015': { error: 'line_busy' },
  '0016': { refusal: 'Failed to call: quota exceeded' },
  '0017': { refusal: 'INVITE failed: sip status: 486: Busy here' },
  '0018': { stays: 'processing' },
}

export interface ElevenLabsOptions extends ElevenLabsWorkspace {
  readonly apiKey: string
  readonly script?: (to: string) => ElevenLabsScript | undefined
  readonly now?: () => number
}

export interface ElevenLabsEmulator extends Emulator {
  /** The answer to every reading request. `none`: the usual one. */
  readFault: 'none' | Reply
  /** Lets a call end that stays in a status. */
  readonly proceed: (id: string, script: ElevenLabsScript) => void
  readonly useTool: (id: string, tool: ElevenLabs.WebhookToolConfigInput, given: Readonly<Record<string, unknown>>) => Promise<void>
}

interface ElevenLabsCall {
  readonly id: string
  readonly to: string
  readonly client: Record<string, unknown>
  script: ElevenLabsScript
  readonly start: number
  status: string
}

/** As documented: seconds, and a digest of seconds and body by the secret of the webhook. */
export const signElevenLabs = (secret: string, seconds: number, body: string): string =>
  `t=${seconds},v0=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

export const startElevenLabsEmulator = async (options: ElevenLabsOptions): Promise<ElevenLabsEmulator> => {
  const { apiKey, agentId, now = Date.now } = options
  const calls: ElevenLabsCall[] = []
  const rung: Rung[] = []
  const callbacks = callbackSender()

  const conversation = ({ id, to, client, script, start, status }: ElevenLabsCall) => {
    const { result = 'answered', reason = 'end_call tool was called.', error, tools = [], collected = {} } = script
    const results = Object.entries(collected).map(([name, value]) => [name, { data_collection_id: name, value, rationale: 'Said so.' }])
    return {
      agent_id: agentId,
      conversation_id: id,
      status,
      user_id: client['user_id'] ?? null,
      transcript: [
        { role: 'agent', message: 'Hello', time_in_call_secs: 0, tool_calls: [], tool_results: null },
        {
          role: 'agent',
          message: null,
          time_in_call_secs: 9,
          tool_results: tools.map((tool) => ({ type: 'system', is_error: false, result: tool })),
        },
      ],
      metadata: {
        start_time_unix_secs: start,
        accepted_time_unix_secs: start + 10,
        call_duration_secs: 30,
        termination_reason: error ? null : reason,
        error: error ? { code: 1002, reason: error } : null,
        phone_call: {
          direction: 'outbound',
          phone_number_id: 'p',
          agent_number: '+1',
          external_number: to,
          call_result: error ? null : result,
          call_sid: 'CA1',
        },
      },
      analysis: {
        call_successful: 'success',
        transcript_summary: 'Talked about the roof.',
        data_collection_results: Object.fromEntries(results),
      },
      conversation_initiation_client_data: client,
      has_audio: true,
    }
  }

  const post = (type: string, data: object): void => {
    const { webhook } = options
    if (!webhook) return
    const body = JSON.stringify({ type, event_timestamp: Math.floor(now() / 1000) + 60, data })
    const headers = {
      'content-type': 'application/json',
      'elevenlabs-signature': signElevenLabs(webhook.secret, Math.floor(now() / 1000), body),
    }
    callbacks.send(emulator.callbackFault, webhook.url, headers, body)
  }

  const play = (call: ElevenLabsCall): void => {
    const { failure, stays } = call.script
    if (stays) return
    const failed = { agent_id: agentId, conversation_id: call.id, failure_reason: failure?.reason, metadata: failure?.metadata }
    if (failure) post('call_initiation_failure', failed)
    else post('post_call_transcription', conversation(call))
  }

  const statusOf = ({ stays, failure }: ElevenLabsScript): string => stays ?? (failure ? 'failed' : 'done')

  const proceed = (id: string, script: ElevenLabsScript): void => {
    const call = calls.find((one) => one.id === id)
    if (!call) throw new Error(`There is no conversation ${id}.`)
    Object.assign(call, { script, status: statusOf(script) })
    play(call)
  }

  const dial = (telephony: string, text: string): Reply | undefined => {
    const { dialFault } = emulator
    if (dialFault === 'lost-before') return undefined
    if (typeof dialFault === 'object') return dialFault
    const body = JSON.parse(text) as Record<string, unknown>
    const refusal = elevenLabsRefusal(options, telephony, body)
    if (refusal) return refusal
    const to = String(body['to_number'])
    const script = options.script?.(to) ?? ELEVENLABS_SCRIPTS[to.slice(-4)] ?? { collected: { outcome: 'completed' } }
    const sids = telephony === 'twilio' ? { callSid: `CA${calls.length}` } : { sip_call_id: `sip-${calls.length}` }
    const refused = { success: false, message: script.refusal, conversation_id: null, callSid: null, sip_call_id: null }
    if (script.refusal) return { status: 200, body: refused }
    const id = `conv_${calls.length + 1}`
    const client = (body['conversation_initiation_client_data'] ?? {}) as Record<string, unknown>
    const call: ElevenLabsCall = { id, to, client, script, start: Math.floor(now() / 1000), status: statusOf(script) }
    calls.push(call)
    const from = options.numbers[String(body['agent_phone_number_id'])]?.phone_number ?? ''
    rung.push({ platformCallId: id, to, from, callId: typeof client['user_id'] === 'string' ? client['user_id'] : null })
    play(call)
    return dialFault === 'lost-after'
      ? undefined
      : { status: 200, body: { success: true, message: 'Success', conversation_id: id, ...sids } }
  }

  /** The agent of a conversation uses a webhook tool. */
  const useTool = async (id: string, tool: ElevenLabs.WebhookToolConfigInput, given: Readonly<Record<string, unknown>>): Promise<void> => {
    const variables = calls.find((call) => call.id === id)?.client['dynamic_variables'] as object
    const known = new Map<string, unknown>(Object.entries({ ...variables, system__conversation_id: id }))
    const { url, method, requestHeaders, requestBodySchema } = tool.apiSchema
    const body = Object.entries(requestBodySchema?.properties ?? {}).flatMap(([name, property]) => {
      const { dynamicVariable } = property as ElevenLabs.LiteralJsonSchemaProperty
      const value = dynamicVariable ? known.get(dynamicVariable) : given[name]
      return value === undefined ? [] : [[name, value]]
    })
    const headers = { 'content-type': 'application/json', ...(requestHeaders as Record<string, string>) }
    await fetch(url, { method: method ?? 'GET', headers, body: JSON.stringify(Object.fromEntries(body)) })
  }

  const list = (query: URLSearchParams): Reply => {
    const size = Number(query.get('page_size') ?? 30)
    const found = calls.filter(({ client }) => client['user_id'] === (query.get('user_id') ?? client['user_id'])).reverse()
    const summaries = found.map(({ id, start, status }) => ({
      agent_id: agentId,
      conversation_id: id,
      start_time_unix_secs: start,
      status,
    }))
    return { status: 200, body: { conversations: summaries.slice(0, size), has_more: found.length > size, next_cursor: null } }
  }

  const read = (path: string, query: URLSearchParams): Reply => {
    if (emulator.readFault !== 'none') return emulator.readFault
    if (path === '/convai/conversations') return list(query)
    const call = calls.find(({ id }) => path === `/convai/conversations/${id}`)
    return call
      ? { status: 200, body: conversation(call) }
      : (readElevenLabs(options, path) ?? elevenLabsProblem(404, 'not_found', 'Not found'))
  }

  const answer: Answer = ({ method, path, headers, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://elevenlabs')
    if (headers['xi-api-key'] !== apiKey) return elevenLabsProblem(401, 'invalid_api_key', 'Invalid API key')
    const below = pathname.replace(/^\/v1/, '')
    if (method === 'GET') return read(below, searchParams)
    const [, telephony] = /^\/convai\/(twilio|sip-trunk)\/outbound-call$/.exec(below) ?? []
    if (telephony === undefined) return elevenLabsProblem(404, 'not_found', 'Not found')
    return headers['content-type'] === 'application/json'
      ? dial(telephony, body)
      : { status: 422, body: { detail: 'The body is not JSON' } }
  }

  const server = await listen(answer)
  const emulator: ElevenLabsEmulator = {
    url: server.url,
    rung,
    seen: server.seen,
    dialFault: 'none',
    callbackFault: 'none',
    readFault: 'none',
    settled: callbacks.settled,
    close: server.close,
    proceed,
    useTool,
  }
  return emulator
}
