import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { InferenceEmbeddingWebhookToolParams } from 'telnyx/resources/ai/assistants'
import { callbackSender } from './callbacks.ts'
import { type Answer, type Emulator, listen, type Reply, type Rung } from './emulator.ts'
import { readTelnyxAccount, TELNYX_NOT_FOUND, type TelnyxAccount, telnyxProblem, telnyxRefusal } from './telnyx-contract.ts'

/** How a call goes. */
export interface TelnyxScript {
  readonly answered?: boolean
  /** Stays there until it is hung up. */
  readonly stays?: 'ringing' | 'talking'
  readonly cause?: string
  readonly source?: 'caller' | 'callee' | 'unknown'
  readonly sip?: string
  /** The verdict of the answering machine detection. */
  readonly machine?: string
  /** The results of the insights; none: no insights follow. */
  readonly insights?: readonly unknown[]
  /** The assistant transfers the call to this number, where nobody or somebody answers. */
  readonly transfer?: { readonly to: string; readonly answered: boolean }
}

/** By the last four digits of the number. */
const TELNYX_SCRIPTS: Readonly<Record<string, TelnyxScript>> = {
  '0002': { cause: 'timeout', source: 'caller', sip: '487' },
  '0003': { answered: true, cause: 'normal_clearing', source: 'caller', machine: 'machine', insights: [{ outcome: 'voicemail' }] },
  '0004': { cause: 'user_busy', source: 'callee', sip: '486' },
  '0005': { cause: 'not_found', source: 'callee', sip: '404' },
  '0006': { cause: 'normal_clearing', source: 'unknown', sip: '503' },
  '0007': { answered: true, insights: ['Wants no more calls.', JSON.stringify({ outcome: 'do_not_call' })] },
  '0008': { stays: 'ringing' },
  '0009': { answered: true, stays: 'talking' },
  '0010': { answered: true, insights: ['Talked about the roof.'] },
  '0011': { answered: true, source: 'caller', transfer: { to: '+12125550199', answered: true } },
  '0012': { answered: true, transfer: { to: '+12125550199', answered: false }, insights: [{ outcome: 'callback_requested' }] },
}
const TALKED: TelnyxScript = { answered: true, insights: [{ outcome: 'completed', summary: 'Talked about the roof.' }] }

export interface TelnyxOptions extends TelnyxAccount {
  readonly apiKey: string
  /** 32 bytes. */
  readonly seed?: Buffer
  readonly script?: (to: string) => TelnyxScript | undefined
  readonly now?: () => number
}

export interface TelnyxEmulator extends Emulator {
  /** Public part of the key that signs callbacks, in base64. */
  readonly publicKey: string
  /** The answer to every reading request. `none`: the usual one. */
  readFault: 'none' | Reply
  /** Lets a call that rings go on to this end. */
  readonly proceed: (id: string, script: TelnyxScript) => void
  /** The assistant of a call uses a webhook tool. */
  readonly useTool: (id: string, tool: InferenceEmbeddingWebhookToolParams, given: Readonly<Record<string, unknown>>) => Promise<void>
}

interface TelnyxLeg {
  readonly id: string
  readonly session: string
  readonly to: string
  readonly from: string
  readonly url: string | null
  readonly state: string | undefined
  readonly variables: Readonly<Record<string, string>>
  script: TelnyxScript
  readonly started: number
  alive: boolean
  over: boolean
  talked: boolean
}

/** How long a repeated command is ignored. */
const IGNORED = 60_000

/** Lists of insights hold objects as their text. */
const asText = (result: unknown): string => (typeof result === 'string' ? result : JSON.stringify(result))

export const startTelnyxEmulator = async (options: TelnyxOptions): Promise<TelnyxEmulator> => {
  const { apiKey, connectionId, assistantId, seed = Buffer.alloc(32, 7), now = Date.now } = options
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const legs: TelnyxLeg[] = []
  const commands = new Map<string, { readonly at: number; readonly reply: Reply }>()
  const rung: Rung[] = []
  const callbacks = callbackSender()
  let events = 0

  const signed = (body: string) => {
    const timestamp = String(Math.floor(now() / 1000))
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64')
    return { 'content-type': 'application/json', 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature }
  }

  const post = (leg: TelnyxLeg, event_type: string, more: object = {}, after = 0): void => {
    const payload = { call_control_id: leg.id, call_leg_id: `leg-${leg.id}`, call_session_id: leg.session, connection_id: connectionId }
    const about = { client_state: leg.state ?? null, from: leg.from, to: leg.to, start_time: new Date(leg.started).toISOString() }
    const data = { record_type: 'event', event_type, id: `event-${++events}`, occurred_at: new Date(leg.started + after).toISOString() }
    const body = JSON.stringify({
      data: { ...data, payload: { ...payload, ...about, ...more } },
      meta: { attempt: 1, delivered_to: leg.url },
    })
    if (leg.url !== null) callbacks.send(emulator.callbackFault, leg.url, signed(body), body)
  }

  const useTool: TelnyxEmulator['useTool'] = async (id, { webhook }, given) => {
    const { variables = {} } = legs.find((leg) => leg.id === id) ?? {}
    const preset = JSON.stringify(webhook.preset_body_fields ?? {}).replace(/\{\{(\w+)\}\}/g, (_, name) => variables[name] ?? '')
    const body = JSON.stringify({ ...given, ...JSON.parse(preset) })
    await fetch(webhook.url, { method: webhook.method ?? 'POST', headers: signed(body), body })
  }

  const hangUp = (leg: TelnyxLeg, cause: string, source: string, sip: string): void => {
    leg.alive = false
    leg.over = true
    const { insights } = leg.script
    if (leg.talked)
      post(leg, 'call.conversation.ended', { to: undefined, assistant_id: assistantId, reason: 'hangup', duration_sec: 30 }, 40_000)
    const end_time = new Date(leg.started + 42_000).toISOString()
    post(leg, 'call.hangup', { state: 'hangup', hangup_cause: cause, hangup_source: source, sip_hangup_cause: sip, end_time }, 42_000)
    if (!leg.talked || !insights) return
    const results = insights.map((result, index) => ({ insight_id: `insight-${index}`, result }))
    post(leg, 'call.conversation_insights.generated', { insight_group_id: 'group-1', results, from: undefined, to: undefined }, 50_000)
    post(leg, 'call.analyzed', { conversation_insights: [{ conversation_insights: results, status: 'completed' }] }, 55_000)
  }

  /** A second leg, which gets the state of the first. */
  const transfer = (leg: TelnyxLeg, { to, answered }: NonNullable<TelnyxScript['transfer']>): void => {
    const other = { ...leg, id: `${leg.id}-2`, to, script: {} }
    post(other, 'call.initiated', { direction: 'outgoing', state: 'bridging' }, 20_000)
    if (!answered) {
      post(other, 'call.hangup', { hangup_cause: 'timeout', hangup_source: 'caller', sip_hangup_cause: '487' }, 30_000)
      return
    }
    post(other, 'call.answered', { state: 'answered' }, 25_000)
    post(other, 'call.bridged', {}, 25_000)
    post(leg, 'call.bridged', {}, 25_000)
    post(other, 'call.hangup', { hangup_cause: 'normal_clearing', hangup_source: 'callee', sip_hangup_cause: '200' }, 41_000)
  }

  const play = (leg: TelnyxLeg): void => {
    leg.alive = true
    post(leg, 'call.initiated', { direction: 'outgoing', state: 'bridging' })
    if (leg.script.stays !== 'ringing') goOn(leg)
  }

  const goOn = (leg: TelnyxLeg): void => {
    const { answered, stays, cause = 'normal_clearing', source = 'callee', sip = '200', machine = 'human_residence' } = leg.script
    if (answered) {
      leg.talked = true
      post(leg, 'call.answered', { state: 'answered' }, 10_000)
      post(leg, 'call.machine.premium.detection.ended', { result: machine }, 12_000)
      if (leg.script.transfer) transfer(leg, leg.script.transfer)
    }
    if (!stays) hangUp(leg, cause, source, sip)
  }

  const shown = (leg: TelnyxLeg) => ({
    ...{ call_control_id: leg.id, call_leg_id: `leg-${leg.id}`, call_session_id: leg.session, record_type: 'call' },
    ...{ is_alive: leg.alive, client_state: leg.state, start_time: new Date(leg.started).toISOString() },
    ...(leg.over && { call_duration: leg.talked ? 32 : 0, end_time: new Date(leg.started + 42_000).toISOString() }),
  })

  const dial = (text: string): Reply | undefined => {
    const { dialFault } = emulator
    if (dialFault === 'lost-before') return undefined
    if (typeof dialFault === 'object') return dialFault
    const body = JSON.parse(text) as Record<string, unknown>
    const refusal = telnyxRefusal(options, body)
    if (refusal) return refusal
    const command = typeof body['command_id'] === 'string' ? commands.get(body['command_id']) : undefined
    if (command && now() - command.at < IGNORED) return command.reply
    const to = String(body['to'])
    const id = `v3:call-${legs.length + 1}`
    const script = options.script?.(to) ?? TELNYX_SCRIPTS[to.slice(-4)] ?? TALKED
    const state = body['client_state'] as string | undefined
    const started = { started: now(), alive: false, over: false, talked: false }
    const { dynamic_variables: variables = {} } = (body['assistant'] ?? {}) as { dynamic_variables?: Record<string, string> }
    const url = typeof body['webhook_url'] === 'string' ? body['webhook_url'] : null
    const leg: TelnyxLeg = { id, session: `session-${id}`, to, from: String(body['from']), url, state, variables, script, ...started }
    const reply: Reply = { status: 200, body: { data: shown(leg) } }
    legs.push(leg)
    if (typeof body['command_id'] === 'string') commands.set(body['command_id'], { at: now(), reply })
    const [callId = null] = Buffer.from(state ?? '', 'base64')
      .toString()
      .split(' ')
    rung.push({ platformCallId: id, to, from: leg.from, callId })
    play(leg)
    return dialFault === 'lost-after' ? undefined : reply
  }

  const read = (path: string, query: URLSearchParams): Reply => {
    if (emulator.readFault !== 'none') return emulator.readFault
    const paths = (id: string) => [
      `/calls/${encodeURIComponent(id)}`,
      `/ai/conversations/${encodeURIComponent(`of-${id}`)}/conversations-insights`,
    ]
    const leg = legs.find(({ id }) => paths(id).includes(path))
    if (path === '/ai/conversations') {
      const talked = legs.filter((other) => other.talked && query.get('metadata->call_control_id') === `eq.${other.id}`)
      return { status: 200, body: { data: talked.map(({ id }) => ({ id: `of-${id}`, metadata: { call_control_id: id } })) } }
    }
    if (!leg) return readTelnyxAccount(options, path, query) ?? TELNYX_NOT_FOUND
    if (path.startsWith('/calls/')) return { status: 200, body: { data: shown(leg) } }
    const conversation_insights = (leg.script.insights ?? []).map((result) => ({ insight_id: 'insight', result: asText(result) }))
    return { status: 200, body: { data: [{ id: 'generated-1', status: 'completed', conversation_insights }] } }
  }

  const answer: Answer = ({ method, path, headers, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://telnyx')
    if (headers.authorization !== `Bearer ${apiKey}`) return telnyxProblem(401, '10009', 'Authentication failed', 'Invalid API key')
    const below = pathname.replace(/^\/v2/, '')
    if (method === 'GET') return read(below, searchParams)
    if (headers['content-type'] !== 'application/json') return telnyxProblem(415, '10014', 'Unsupported Media Type', 'The body is not JSON')
    if (below === '/calls') return dial(body)
    const leg = legs.find(({ id }) => below === `/calls/${encodeURIComponent(id)}/actions/hangup`)
    if (!leg) return TELNYX_NOT_FOUND
    if (leg.over) return telnyxProblem(422, '90018', 'Call has already ended', 'This call is no longer active and cannot receive commands.')
    hangUp(leg, leg.talked ? 'normal_clearing' : 'originator_cancel', 'caller', leg.talked ? '200' : '487')
    return { status: 200, body: { data: { result: 'ok' } } }
  }

  const server = await listen(answer)
  const publicDer = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const emulator: TelnyxEmulator = {
    url: `${server.url}/v2`,
    rung,
    seen: server.seen,
    publicKey: publicDer.subarray(-32).toString('base64'),
    dialFault: 'none',
    callbackFault: 'none',
    readFault: 'none',
    settled: callbacks.settled,
    close: server.close,
    proceed: (id, script) => {
      const leg = legs.find((other) => other.id === id)
      if (!leg) throw new Error(`There is no call ${id}.`)
      leg.script = script
      if (!leg.over) goOn(leg)
    },
    useTool,
  }
  return emulator
}
