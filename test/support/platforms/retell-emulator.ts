import type Retell from 'retell-sdk'
import { symmetric } from 'retell-sdk/lib/webhook_auth'
import { type CallbackFault, type DialFault, type Emulator, listen, type Reply, type Rung, type Seen } from './emulator.ts'

type RetellCallRecord = Retell.PhoneCallResponse
export type RetellReason = NonNullable<RetellCallRecord['disconnection_reason']>

/** Each reason with the call status that Retell's guide to disconnections gives it. */
export const RETELL_REASONS: Readonly<Record<RetellReason, 'ended' | 'not_connected' | 'error'>> = {
  user_hangup: 'ended',
  agent_hangup: 'ended',
  call_transfer: 'ended',
  voicemail_reached: 'ended',
  ivr_reached: 'ended',
  inactivity: 'ended',
  max_duration_reached: 'ended',
  transfer_bridged: 'ended',
  transfer_cancelled: 'ended',
  call_take_over: 'ended',
  manual_stopped: 'ended',
  dial_busy: 'not_connected',
  dial_failed: 'not_connected',
  dial_no_answer: 'not_connected',
  invalid_destination: 'not_connected',
  telephony_provider_permission_denied: 'not_connected',
  telephony_provider_unavailable: 'not_connected',
  sip_routing_error: 'not_connected',
  marked_as_spam: 'not_connected',
  user_declined: 'not_connected',
  concurrency_limit_reached: 'error',
  no_concurrency_fallback: 'error',
  no_valid_payment: 'error',
  scam_detected: 'error',
  registered_call_timeout: 'error',
  error_llm_websocket_open: 'error',
  error_llm_websocket_lost_connection: 'error',
  error_llm_websocket_runtime: 'error',
  error_llm_websocket_corrupt_payload: 'error',
  error_no_audio_received: 'error',
  error_asr: 'error',
  error_retell: 'error',
  error_unknown: 'error',
  error_user_not_joined: 'error',
}

/** The reason that the last four digits of a number choose, by its place in the list; undefined: the phone rings until the test decides. */
const reasonOf = (to: string) => (Object.keys(RETELL_REASONS) as RetellReason[])[Number(to.slice(-4))]

export interface RetellOptions {
  readonly apiKey?: string
  readonly agents?: Readonly<Record<string, object>>
  readonly numbers?: readonly string[]
  /** Contents of the prompt or flow of each assistant. */
  readonly engines?: Readonly<Record<string, unknown>>
  readonly now?: () => number
  readonly script?: (to: string) => RetellReason | undefined
  /** Leaves number and metadata out of the record of a call that nobody answered, as Retell was seen to do. */
  readonly isForgetful?: boolean
}

const ANSWERS = {
  malformed: [400, 'Invalid request format, please check API reference.'],
  unauthorized: [401, 'API key is missing or invalid.'],
  unknown: [422, 'Cannot find requested asset under given api key.'],
} as const

const refuse = (kind: keyof typeof ANSWERS): Reply => ({ status: ANSWERS[kind][0], body: { status: 'error', message: ANSWERS[kind][1] } })

type AgentOverride = NonNullable<NonNullable<Retell.CallCreatePhoneCallParams['agent_override']>['agent']>

const DIAL_FIELDS: readonly (keyof Retell.CallCreatePhoneCallParams)[] = [
  ...(['from_number', 'to_number', 'override_agent_id', 'override_agent_version'] as const),
  ...(['agent_override', 'metadata', 'retell_llm_dynamic_variables'] as const),
]
const AGENT_FIELDS: readonly (keyof AgentOverride)[] = ['webhook_url', 'webhook_events', 'max_call_duration_ms', 'post_call_analysis_data']
const CALL_EVENTS: NonNullable<AgentOverride['webhook_events']> = ['call_started', 'call_ended', 'call_analyzed']
const EVENTS: NonNullable<AgentOverride['webhook_events']> = [
  ...CALL_EVENTS,
  'transcript_updated',
  'transfer_started',
  'transfer_bridged',
  'transfer_cancelled',
  'transfer_ended',
]

const hasOnly = (value: object, fields: readonly string[]): boolean => Object.keys(value).every((key) => fields.includes(key))

const isWellFormed = (body: Retell.CallCreatePhoneCallParams): boolean => {
  const { agent = {} } = body.agent_override ?? {}
  const longest = agent.max_call_duration_ms ?? 3_600_000
  return (
    hasOnly(body, DIAL_FIELDS) &&
    hasOnly(agent, AGENT_FIELDS) &&
    [body.from_number, body.to_number].every((number) => /^\+[1-9]\d{6,14}$/.test(number ?? '')) &&
    Object.values(body.retell_llm_dynamic_variables ?? {}).every((value) => typeof value === 'string') &&
    (agent.webhook_events ?? []).every((event) => EVENTS.includes(event)) &&
    (agent.webhook_url ?? null) !== '' &&
    longest >= 60_000 &&
    longest <= 7_200_000
  )
}

/** Retell's public API, from its package and its documentation. Callbacks are signed by the vendor's own code. */
export const startRetellEmulator = async (options: RetellOptions = {}) => {
  const { apiKey = 'key_test', agents = { agent_1: {} }, numbers = ['+12125550100'], engines = {} } = options
  const { now = () => 1_795_000_000_000, script = reasonOf, isForgetful = false } = options
  const calls = new Map<string, RetellCallRecord & { webhook?: AgentOverride }>()
  const rung: Rung[] = []
  let sent: Promise<unknown> = Promise.resolve()
  const faults: { dialFault: DialFault; callbackFault: CallbackFault } = { dialFault: 'none', callbackFault: 'none' }

  const shown = ({ webhook: _, ...call }: RetellCallRecord & { webhook?: AgentOverride }): object => {
    if (!isForgetful || call.call_status !== 'not_connected') return call
    const { metadata, to_number, ...rest } = call
    return rest
  }
  const post = (url: string, body: object): void => {
    const text = JSON.stringify(body)
    const deliver = async () => {
      const signature = await symmetric.sign(text, apiKey, now())
      const headers = { 'content-type': 'application/json', 'x-retell-signature': signature }
      await fetch(url, { method: 'POST', headers, body: text })
    }
    const times = { none: 1, lost: 0, twice: 2 }[faults.callbackFault]
    // In order, and without care for a receiver that is down.
    for (let time = 0; time < times; time++) sent = sent.then(deliver).catch(() => undefined)
  }
  const found = (id: string) => {
    const call = calls.get(id)
    if (!call) throw new Error(`No call ${id}`)
    return call
  }
  const tell = (id: string, event: string, more: object = {}): void => {
    const { webhook } = found(id)
    const events: readonly string[] = webhook?.webhook_events ?? CALL_EVENTS
    if (webhook?.webhook_url && events.includes(event)) post(webhook.webhook_url, { event, call: shown(found(id)), ...more })
  }
  const pickUp = (id: string): void => {
    Object.assign(found(id), { call_status: 'ongoing', start_timestamp: now() })
    tell(id, 'call_started')
  }
  const finish = (id: string, reason: string, seconds = 42, status = RETELL_REASONS[reason as RetellReason] ?? 'ended'): void => {
    const call = found(id)
    const start = call.start_timestamp ?? now()
    const duration_ms = call.call_status === 'ongoing' ? seconds * 1000 : 0
    Object.assign(call, {
      call_status: status,
      disconnection_reason: reason,
      start_timestamp: start,
      end_timestamp: start + duration_ms,
      duration_ms,
    })
    tell(id, 'call_ended')
  }
  const analyze = (id: string, call_analysis: object = {}): void => {
    Object.assign(found(id), { call_analysis })
    tell(id, 'call_analyzed')
  }
  const play = (id: string, reason: RetellReason, analysis?: object): void => {
    if (RETELL_REASONS[reason] === 'ended') pickUp(id)
    finish(id, reason)
    analyze(id, analysis)
  }

  const dial = ({ body: text }: Seen): Reply | undefined => {
    const { dialFault } = faults
    if (typeof dialFault === 'object') return dialFault
    if (dialFault === 'lost-before') return undefined
    const body: Retell.CallCreatePhoneCallParams = JSON.parse(text)
    if (!isWellFormed(body)) return refuse('malformed')
    if (!numbers.includes(body.from_number) || !agents[body.override_agent_id ?? '']) return refuse('unknown')
    const call_id = `call_${calls.size + 1}`
    const { from_number, to_number, metadata, override_agent_id: agent_id = '' } = body
    const call: RetellCallRecord = {
      call_id,
      call_type: 'phone_call',
      direction: 'outbound',
      call_status: 'registered',
      agent_id,
      agent_version: 0,
      from_number,
      to_number,
      metadata,
    }
    calls.set(call_id, { ...call, webhook: { ...agents[agent_id], ...body.agent_override?.agent } })
    const callId = (metadata as { call_id?: string } | undefined)?.call_id ?? null
    rung.push({ platformCallId: call_id, to: to_number, from: from_number, callId })
    const reason = script(to_number)
    if (reason) play(call_id, reason)
    return dialFault === 'lost-after' ? undefined : { status: 201, body: call }
  }
  const list = (text: string): Reply => {
    const { filter_criteria = {}, limit = 50 }: Retell.CallListParams = JSON.parse(text)
    const filters = filter_criteria.metadata ?? []
    if (filters.some((filter) => filter.type !== 'string' || filter.op !== 'eq' || !filter.key)) return refuse('malformed')
    const all = [...calls.values()].map(shown) as { metadata?: Record<string, unknown> }[]
    const matching = all.filter(({ metadata }) =>
      filters.every((filter) => 'value' in filter && metadata?.[filter.key ?? ''] === filter.value),
    )
    return { status: 200, body: { items: matching.slice(0, limit), has_more: matching.length > limit } }
  }
  const stop = (id: string): Reply => {
    const call = calls.get(id)
    if (!call) return refuse('unknown')
    if (call.call_status !== 'ongoing') return refuse('malformed')
    finish(id, 'manual_stopped')
    return { status: 204 }
  }

  const server = await listen((request) => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) return refuse('unauthorized')
    const path = new URL(request.path, 'http://retell').pathname
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    const route = `${request.method} ${path.includes('list-calls') || path.includes('create-') ? path : path.slice(0, path.lastIndexOf('/'))}`
    const one = (value: unknown): Reply => (value ? { status: 200, body: value } : refuse('unknown'))
    if (route === 'POST /v2/create-phone-call') return dial(request)
    if (route === 'POST /v3/list-calls') return list(request.body)
    if (route === 'POST /v2/stop-call') return stop(id)
    const call = calls.get(id)
    if (route === 'GET /v2/get-call') return one(call && shown(call))
    if (route === 'GET /get-agent') return one(agents[id])
    if (route === 'GET /get-phone-number') return one(numbers.includes(id) && { phone_number: id })
    if (route === 'GET /get-retell-llm' || route === 'GET /get-conversation-flow') return one(engines[id])
    return { status: 404, body: '<html>Not Found</html>' }
  })

  return Object.assign(faults, {
    url: server.url,
    seen: server.seen,
    rung,
    close: server.close,
    settled: async () => void (await sent),
    pickUp,
    finish,
    analyze,
    play,
    tell,
    /** The assistant calls one of its functions. */
    invoke: (url: string, id: string, name: string, args: unknown): void => post(url, { name, call: shown(found(id)), args }),
  }) satisfies Emulator
}
