import { createHmac } from 'node:crypto'
import { type CallbackFault, type DialFault, type Emulator, listen, type Reply, type Rung, type Seen } from './emulator.ts'

/** Documented values of a call's record. */
export const BLAND_STATUSES = ['completed', 'failed', 'busy', 'no-answer', 'canceled', 'unknown'] as const
export const BLAND_ANSWERED_BY = ['human', 'voicemail', 'unknown', 'no-answer', null] as const
export const BLAND_QUEUES = [
  ...(['new', 'queued', 'allocated', 'started', 'complete'] as const),
  ...(['pre_queue_error', 'queue_error', 'call_error', 'complete_error'] as const),
]

interface BlandRecord {
  readonly call_id: string
  readonly to: string
  readonly from: string
  readonly created_at: string
  readonly [field: string]: unknown
}

const over = (status: (typeof BLAND_STATUSES)[number], more: object = {}) => ({
  status,
  completed: true,
  queue_status: 'complete',
  ...more,
})
const talked = (more: object) => over('completed', { answered_by: 'human', call_length: 0.7, corrected_duration: '42', ...more })

/** Ways in which a call ends. */
export const BLAND_ENDS: Readonly<Record<string, object>> = {
  person_hung_up: talked({ call_ended_by: 'USER', disposition_tag: 'not_interested' }),
  assistant_hung_up: talked({ call_ended_by: 'ASSISTANT', disposition_tag: 'completed' }),
  unsure_who_answered: talked({ answered_by: 'unknown', call_ended_by: 'USER', disposition_tag: 'completed' }),
  stop_asked: talked({ call_ended_by: 'USER', analysis: { outcome: 'do_not_call' }, disposition_tag: 'not_interested' }),
  machine: talked({ answered_by: 'voicemail', call_ended_by: 'ASSISTANT' }),
  nobody: over('no-answer', { answered_by: 'no-answer' }),
  nobody_by_detection: over('completed', { answered_by: 'no-answer' }),
  busy: over('busy'),
  canceled: over('canceled'),
  failed: over('failed', { error_message: 'The carrier refused the call.' }),
  not_queued: { completed: false, queue_status: 'pre_queue_error', error_message: 'Invalid parameters.' },
  not_dialled: { completed: false, queue_status: 'queue_error', error_message: 'The area is not served.' },
  broken: over('unknown', { queue_status: 'call_error', answered_by: 'human', disposition_tag: null, analysis: null }),
  merged: talked({ warm_transfer_call: { state: 'MERGED' }, transferred_to: '+12125550111' }),
  handed_over: talked({ warm_transfer_call: { state: 'ENDED' }, transferred_to: '+12125550111', post_transfer_duration: 3 }),
  not_taken_over: talked({ warm_transfer_call: { state: 'FAILED' }, transferred_to: '+12125550111' }),
  forwarded: talked({ transferred_to: '+12125550111' }),
}

/** A custom tool, as it is created. */
export interface BlandTool {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, string>>
  readonly input_schema: object
  readonly timeout: number
  readonly response: Readonly<Record<string, string>>
}

export interface BlandOptions {
  readonly apiKey?: string
  /** The secret that signs webhooks; null: nothing is signed. */
  readonly secret?: string | null
  readonly pathways?: readonly string[]
  readonly personas?: readonly string[]
  readonly numbers?: readonly string[]
  readonly account?: object
  /** Custom tools of the account. */
  readonly tools?: readonly object[]
  readonly now?: () => number
  readonly script?: (to: string) => string | undefined
}

const FIELDS = [
  ...['phone_number', 'task', 'pathway_id', 'pathway_version', 'persona_id', 'from', 'request_data', 'metadata', 'webhook'],
  ...['webhook_events', 'voicemail', 'max_duration', 'answered_by_enabled', 'dispositions', 'summary_prompt', 'analysis_schema'],
]

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const mistakeIn = (body: Record<string, unknown>): string | undefined => {
  const strange = Object.keys(body).find((key) => !FIELDS.includes(key))
  if (strange) return `Unknown parameter ${strange}`
  if (!/^\+[1-9]\d{6,14}$/.test(String(body['phone_number']))) return 'phone_number is invalid'
  if (['task', 'pathway_id', 'persona_id'].filter((key) => body[key]).length !== 1) return 'One of task, pathway_id, persona_id is required'
  if (!['request_data', 'metadata', 'analysis_schema'].every((key) => body[key] === undefined || isObject(body[key])))
    return 'Not an object'
  const minutes = body['max_duration'] ?? 30
  return Number.isInteger(minutes) && Number(minutes) >= 1 ? undefined : 'max_duration is invalid'
}

const refuse = (status: number, error: string, message: string): Reply => ({ status, body: { data: null, errors: [{ error, message }] } })

const NO_SID: Reply = { status: 400, body: { status: 'error', message: 'SID not found for the given c_id.' } }

/** Bland's public API, from its documentation. */
export const startBlandEmulator = async (options: BlandOptions = {}) => {
  const { apiKey = 'sk_test', secret = 'bland_secret', pathways = ['pathway_1'], personas = [], numbers = ['+12125550100'] } = options
  const { account = { status: 'active', billing: { current_balance: 10, refill_to: null }, total_calls: 0 } } = options
  const { tools = [], now = () => 1_795_000_000_000, script = (to) => Object.keys(BLAND_ENDS)[Number(to.slice(-4))] } = options
  const calls = new Map<string, BlandRecord>()
  const webhooks = new Map<string, string>()
  const rung: Rung[] = []
  let sent: Promise<unknown> = Promise.resolve()
  const faults: { dialFault: DialFault; callbackFault: CallbackFault } = { dialFault: 'none', callbackFault: 'none' }

  const post = (url: string, body: object): void => {
    const text = JSON.stringify(body)
    const signature = secret === null ? {} : { 'x-webhook-signature': createHmac('sha256', secret).update(text).digest('hex') }
    const deliver = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...signature }, body: text })
    const times = { none: 1, lost: 0, twice: 2 }[faults.callbackFault]
    // In order, and without care for a receiver that is down.
    for (let time = 0; time < times; time++) sent = sent.then(deliver).catch(() => undefined)
  }
  const change = (id: string, more: object): BlandRecord => {
    const call = calls.get(id)
    if (!call) throw new Error(`No call ${id}`)
    const changed = { ...call, ...more }
    calls.set(id, changed)
    return changed
  }
  /** `queue`: how far the call has come. */
  const progress = (id: string, queue: (typeof BLAND_QUEUES)[number]): void =>
    void change(id, { queue_status: queue, ...(queue === 'started' && { started_at: new Date(now()).toISOString() }) })
  const tell = (id: string, body: object): void => {
    const url = webhooks.get(id)
    if (url) post(url, body)
  }
  const finish = (id: string, end: object): void => tell(id, change(id, end))

  /** The assistant of a call uses a custom tool. An input that it does not give stays in the template. */
  const useTool = async (id: string, tool: BlandTool, input: Readonly<Record<string, unknown>>): Promise<void> => {
    const variables: Record<string, unknown> = { ...(calls.get(id)?.['request_data'] as object), call_id: id }
    const filled = (template: string): string =>
      template.replace(/\{\{(input\.)?(\w+)\}\}/g, (whole, ofInput, name) => String((ofInput ? input : variables)[name] ?? whole))
    const body = JSON.stringify(Object.fromEntries(Object.entries(tool.body).map(([name, template]) => [name, filled(template)])))
    await fetch(tool.url, { method: tool.method, headers: { 'content-type': 'application/json', ...tool.headers }, body })
  }

  const dial = ({ body: text }: Seen): Reply | undefined => {
    const { dialFault } = faults
    if (typeof dialFault === 'object') return dialFault
    if (dialFault === 'lost-before') return undefined
    const body: Record<string, unknown> = JSON.parse(text)
    const mistake = mistakeIn(body)
    if (mistake) return { status: 400, body: { status: 'error', message: mistake } }
    const { phone_number, from, pathway_id, persona_id, metadata, request_data, webhook } = body
    if (pathway_id && !pathways.includes(String(pathway_id)))
      return { status: 400, body: { status: 'error', message: 'Pathway not found.' } }
    if (persona_id && !personas.includes(String(persona_id)))
      return { status: 400, body: { status: 'error', message: 'Persona not found.' } }
    if (from && !numbers.includes(String(from))) return { status: 400, body: { status: 'error', message: 'The from number is not yours.' } }
    const call_id = `c_${calls.size + 1}`
    const to = String(phone_number)
    const created_at = new Date(now()).toISOString()
    const fresh = { status: null, queue_status: 'queued', completed: false, answered_by: null, error_message: null, inbound: false }
    // Bland tells when the call must be over at the latest.
    const end_at = new Date(now() + 1_800_000).toISOString()
    calls.set(call_id, { call_id, c_id: call_id, to, from: String(from), created_at, end_at, ...fresh, metadata, request_data })
    if (webhook) webhooks.set(call_id, String(webhook))
    const { call_id: callId = null } = (metadata ?? {}) as { call_id?: string }
    rung.push({ platformCallId: call_id, to, from: String(from), callId })
    const end = BLAND_ENDS[script(to) ?? '']
    if (end) {
      if ('answered_by' in end && end.answered_by !== 'no-answer') progress(call_id, 'started')
      finish(call_id, end)
    }
    if (dialFault === 'lost-after') return undefined
    return { status: 200, body: { status: 'success', message: 'Call successfully queued.', call_id, batch_id: null } }
  }
  const list = (query: URLSearchParams): Reply => {
    const matching = [...calls.values()].filter(
      ({ to, created_at }) => to === (query.get('to_number') ?? to) && created_at.slice(0, 10) >= (query.get('start_date') ?? ''),
    )
    const shown = matching.map(({ metadata, request_data, ...summary }) => summary).slice(0, Number(query.get('limit') ?? 1000))
    return { status: 200, body: { count: matching.length, calls: shown } }
  }
  const stop = (id: string): Reply => {
    const call = calls.get(id)
    if (!call || call['completed'] || call['queue_status'] === 'allocated') return NO_SID
    finish(id, call['started_at'] ? talked({ call_ended_by: 'ASSISTANT' }) : over('canceled'))
    return { status: 200, body: { status: 'success', message: 'Call ended successfully.' } }
  }

  const server = await listen((request) => {
    const sentKey = request.headers.authorization?.replace(/^Bearer /, '')
    if (sentKey !== apiKey) return refuse(401, 'AUTH_FAILURE', 'Unauthorized')
    const { pathname, searchParams } = new URL(request.path, 'http://bland')
    const [, , kind = '', id = '', action = ''] = pathname.split('/').map(decodeURIComponent)
    const one = (value: unknown): Reply => (value ? { status: 200, body: value } : refuse(404, 'NOT_FOUND', 'Not found'))
    const route = `${request.method} ${kind}${id ? '/:id' : ''}${action ? `/${action}` : ''}`
    if (route === 'POST calls') return dial(request)
    if (route === 'GET calls') return list(searchParams)
    if (route === 'GET calls/:id') return one(calls.get(id))
    if (route === 'POST calls/:id/stop') return stop(id)
    if (route === 'GET me') return one(account)
    if (route === 'GET tools') return one({ status: 'success', tools: tools.map((tool) => ({ tool_id: 'TL-1', label: null, tool })) })
    if (route === 'GET pathway/:id') return one(pathways.includes(id) && { name: id, nodes: [] })
    if (route === 'GET personas/:id') return one(personas.includes(id) && { data: { id } })
    if (route === 'GET inbound') return one({ inbound_numbers: numbers.slice(0, 1).map((phone_number) => ({ phone_number })) })
    if (route === 'GET outbound') return one({ outbound_numbers: numbers.slice(1).map((phone_number) => ({ phone_number })) })
    return { status: 404, body: '<html>Not Found</html>' }
  })

  return Object.assign(faults, {
    url: server.url,
    seen: server.seen,
    rung,
    close: server.close,
    settled: async () => void (await sent),
    progress,
    finish,
    tell,
    useTool,
  }) satisfies Emulator
}
