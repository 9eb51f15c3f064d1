import { randomUUID } from 'node:crypto'
import type { Vapi } from '@vapi-ai/server-sdk'
import { type CallbackFault, type DialFault, type Emulator, listen, type Reply, type Rung, type Seen } from './emulator.ts'
import { type VapiAccount, vapiProblem } from './vapi-contract.ts'
import { type VapiCredential, vapiSignature } from './vapi-credential.ts'

/** How a call goes. */
export interface VapiScript {
  readonly endedReason: string
  /** Without it, nobody answers. */
  readonly isAnswered?: boolean
  /** The call ends before the phone rings. */
  readonly isUnrung?: boolean
  readonly tools?: readonly { readonly name: string; readonly arguments: object }[]
  readonly transfer?: Vapi.TransferArtifact
  readonly analysis?: Vapi.Analysis
  readonly structuredOutputs?: Readonly<Record<string, unknown>>
  /** The call stays there until it is released or ended. */
  readonly waits?: 'queued' | 'ringing' | 'in-progress'
}

/** How calls go by default, by the last four digits of the number. */
const BY_DIGITS: Readonly<Record<string, VapiScript>> = {
  '0001': { endedReason: 'customer-did-not-answer' },
  '0002': { endedReason: 'customer-busy' },
  '0003': { endedReason: 'twilio-reported-customer-misdialed' },
  '0004': { endedReason: 'call.start.error-subscription-insufficient-credits', isUnrung: true },
  '0005': { endedReason: 'voicemail', isAnswered: true },
  '0006': { endedReason: 'customer-ended-call', isAnswered: true, waits: 'ringing' },
  '0007': { endedReason: 'customer-ended-call', isAnswered: true, waits: 'in-progress' },
  '0008': { endedReason: 'customer-ended-call', isAnswered: true, waits: 'queued' },
}
const TALKED: VapiScript = {
  endedReason: 'assistant-ended-call',
  isAnswered: true,
  analysis: { summary: 'They talked.', structuredData: { outcome: 'not_interested', summary: 'Not now.' } },
}

export interface VapiOptions extends VapiAccount {
  readonly apiKey: string
  readonly credentials: Readonly<Record<string, VapiCredential>>
  readonly structuredOutputs?: readonly object[]
  readonly tools?: readonly object[]
  readonly script?: (number: string) => VapiScript | undefined
  readonly concurrencyLimit?: number
  /** Its answer to each call to a number that it refuses. */
  readonly refuses?: (number: string) => Reply | undefined
  readonly now?: () => number
  /** Vapi does not document it. */
  readonly stampUnit?: 'seconds' | 'milliseconds'
}
type Stored = Vapi.Call & { status: Vapi.CallStatus }
interface Live {
  readonly call: Stored
  script: VapiScript
}

const problem = (status: number, message: unknown): Reply => ({ status, body: { message, statusCode: status } })

const DEFAULT_MESSAGES = ['conversation-update', 'end-of-call-report', 'hang', 'speech-update', 'status-update', 'tool-calls']

export const startVapiEmulator = async (options: VapiOptions) => {
  const { apiKey, assistants, phoneNumbers, credentials, now = Date.now } = options
  const calls = new Map<string, Live>()
  const rung: Rung[] = []
  const sending = new Set<Promise<void>>()
  const faults: { dial: DialFault; callback: CallbackFault } = { dial: 'none', callback: 'none' }
  const iso = () => new Date(now()).toISOString()

  const post = async (call: Stored, message: object): Promise<boolean> => {
    const { url, credentialId } = call.assistantOverrides?.server ?? {}
    if (!url) return true
    const body = JSON.stringify({ message })
    const stamp = String(options.stampUnit === 'milliseconds' ? now() : Math.floor(now() / 1000))
    const plan = credentialId === undefined ? undefined : credentials[credentialId]
    const headers = { 'content-type': 'application/json', ...(plan && vapiSignature(plan, body, url, stamp, `msg_${randomUUID()}`)) }
    return (await fetch(url, { method: 'POST', headers, body }).catch(() => undefined))?.ok ?? false
  }

  const send = async ({ call }: Live, message: { readonly type: string }): Promise<void> => {
    const { serverMessages = DEFAULT_MESSAGES, server } = call.assistantOverrides ?? {}
    if (!serverMessages.some((type) => type === message.type) || faults.callback === 'lost') return
    const full = { ...message, timestamp: now(), call: { ...call }, customer: call.customer, assistant: assistants[call.assistantId ?? ''] }
    for (let tries = 0; tries <= (server?.backoffPlan?.maxRetries ?? 0); tries++) if (await post(call, full)) break
    if (faults.callback === 'twice') await post(call, full)
  }

  const become = async (live: Live, status: Vapi.CallStatus, more: object = {}): Promise<void> => {
    Object.assign(live.call, { status, updatedAt: iso() })
    await send(live, { type: 'status-update', ...{ status, ...more } })
  }

  const end = async (live: Live): Promise<void> => {
    const { endedReason, transfer, analysis = {}, structuredOutputs } = live.script
    const artifact = { messages: [], ...(transfer && { transfers: [transfer] }), ...(structuredOutputs && { structuredOutputs }) }
    Object.assign(live.call, { endedReason, endedAt: iso() })
    await become(live, 'ended', { endedReason, ...(transfer && { artifact: { transfers: [transfer] } }) })
    Object.assign(live.call, { artifact, analysis })
    const { startedAt, endedAt } = live.call
    await send(live, { type: 'end-of-call-report', ...{ endedReason, artifact, analysis, startedAt, endedAt } })
  }

  /** The assistant of a call calls tools, all at once. */
  const useTools = async (platformCallId: string, ...tools: NonNullable<VapiScript['tools']>): Promise<void> => {
    const live = calls.get(platformCallId)
    const toolCallList = tools.map(({ name, arguments: given }): Vapi.ToolCall => {
      return { id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: JSON.stringify(given) } }
    })
    if (live) await send(live, { type: 'tool-calls', ...{ toolCallList, toolWithToolCallList: [] } })
  }

  const talk = async (live: Live): Promise<void> => {
    const { tools = [], transfer } = live.script
    for (const tool of tools) await useTools(live.call.id, tool)
    if (transfer) await become(live, 'forwarding', { destination: transfer.destination })
    await end(live)
  }

  const step = async (live: Live): Promise<void> => {
    const { call, script } = live
    if (call.status === 'queued' && !script.isUnrung) {
      const { number: to = '' } = call.customer ?? {}
      const { number: from } = { number: '', ...phoneNumbers[call.phoneNumberId ?? ''] }
      rung.push({ platformCallId: call.id, to, from, callId: call.name ?? null })
      return become(live, 'ringing')
    }
    if (call.status === 'ringing' && script.isAnswered) {
      call.startedAt = iso()
      return become(live, 'in-progress')
    }
    return call.status === 'in-progress' ? talk(live) : end(live)
  }

  const advance = (live: Live): void => {
    const run = async () => {
      while (live.call.status !== 'ended' && live.script.waits !== live.call.status) await step(live)
    }
    const running = run().finally(() => sending.delete(running))
    sending.add(running)
  }

  /** Lets a waiting call go on, or end otherwise. */
  const release = (platformCallId: string, script: Partial<VapiScript> = {}): void => {
    const live = calls.get(platformCallId)
    if (!live) throw new Error(`There is no call ${platformCallId}.`)
    const { waits: _, ...rest } = live.script
    live.script = { ...rest, ...script }
    advance(live)
  }

  const dial = (body: string, url: string): Reply => {
    const wanted: Vapi.CreateCallDto = JSON.parse(body)
    const wrong = vapiProblem(options, wanted)
    if (wrong) return problem(400, wrong)
    const id = randomUUID()
    const number = wanted.customer?.number ?? ''
    const refused = options.refuses?.(number)
    if (refused) return refused
    const shared = { id, orgId: 'org', createdAt: iso(), updatedAt: iso(), type: 'outboundPhoneCall', status: 'queued' } as const
    const monitor = { controlUrl: `${url}/control/${id}`, listenUrl: `${url.replace('http', 'ws')}/listen/${id}` }
    const call: Stored = { ...shared, phoneCallProvider: 'twilio', phoneCallTransport: 'pstn', monitor, ...wanted }
    const live = { call, script: options.script?.(number) ?? BY_DIGITS[number.slice(-4)] ?? TALKED }
    const active = [...calls.values()].filter((other) => other.call.status !== 'ended').length
    const limit = options.concurrencyLimit ?? 10
    calls.set(id, live)
    const subscriptionLimits = {
      concurrencyBlocked: active >= limit,
      concurrencyLimit: limit,
      remainingConcurrentCalls: Math.max(0, limit - active),
    }
    const reply = { status: 201, body: { ...call, subscriptionLimits } }
    advance(live)
    return reply
  }

  const list = (query: URLSearchParams): Reply => {
    const from = query.get('createdAtGe') ?? ''
    const to = query.get('createdAtLe') ?? '9'
    const numberId = query.get('phoneNumberId')
    const found = [...calls.values()].map(({ call }) => call).filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    const matching = found.filter(({ phoneNumberId }) => numberId === null || numberId === phoneNumberId)
    return { status: 200, body: matching.toReversed().slice(0, Number(query.get('limit') ?? 100)) }
  }

  const one = (found: object | undefined, what: string): Reply => (found ? { status: 200, body: found } : problem(404, `${what} Not Found`))

  const read = (path: string, query: URLSearchParams): Reply => {
    const [, kind, id] = path.split('/')
    if (kind === 'call') return id ? one(calls.get(id)?.call, 'Call') : list(query)
    if (kind === 'assistant' && id) return one(assistants[id] && { id, ...assistants[id] }, 'Assistant')
    if (kind === 'phone-number' && id) return one(phoneNumbers[id] && { id, ...phoneNumbers[id] }, 'Phone Number')
    if (kind === 'structured-output') return { status: 200, body: { results: options.structuredOutputs ?? [], metadata: {} } }
    return kind === 'tool' ? { status: 200, body: options.tools ?? [] } : problem(404, `Cannot GET ${path}`)
  }

  const control = (id: string, body: string): Reply => {
    if (JSON.parse(body).type !== 'end-call' || !calls.has(id)) return problem(400, 'Unknown control message')
    release(id, { endedReason: 'manually-canceled', isAnswered: false, isUnrung: true })
    return { status: 200, body: {} }
  }

  const answer = ({ method, path, headers, body }: Seen): Reply | undefined => {
    const { pathname, searchParams } = new URL(path, server.url)
    if (method === 'POST' && pathname.startsWith('/control/')) return control(pathname.slice('/control/'.length), body)
    if (headers.authorization !== `Bearer ${apiKey}`) return problem(401, 'Invalid Key. Hot tip, you may be using the private key.')
    if (method === 'GET') return read(pathname, searchParams)
    if (method !== 'POST' || pathname !== '/call') return problem(404, `Cannot ${method} ${pathname}`)
    if (typeof faults.dial === 'object') return faults.dial
    if (faults.dial === 'lost-before') return undefined
    const reply = dial(body, server.url)
    return faults.dial === 'lost-after' ? undefined : reply
  }

  const server = await listen(answer)
  return {
    ...{ url: server.url, seen: server.seen, rung, close: server.close, release, useTools },
    get dialFault() {
      return faults.dial
    },
    set dialFault(fault: DialFault) {
      faults.dial = fault
    },
    get callbackFault() {
      return faults.callback
    },
    set callbackFault(fault: CallbackFault) {
      faults.callback = fault
    },
    settled: async () => {
      while (sending.size > 0) await Promise.all(sending)
    },
  } satisfies Emulator & { readonly release: typeof release }
}
