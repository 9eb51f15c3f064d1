import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { startVoiceAgent, type VoiceAgent } from '#lib/local/voice-agent/start-voice-agent.ts'
import { eventually } from './eventually.ts'

/** The simulated voice agent alone, with a stand-in for the service. Both stop after each test. */

export const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
export const SPEED = 20
export const SERVICE_NOW = Date.parse('2026-11-20T16:00:00.000Z')

interface Received {
  readonly path: string
  readonly webhookId: string
  readonly status: number
  readonly event: {
    start_time?: string
    type: string
    event_id: string
    call_id: string
    provider_call_id: string
    time: string
    data: Record<string, unknown>
  }
}

interface Dials {
  readonly total: number
  readonly calls: readonly { readonly key: string; readonly phone: string; readonly behaviour: string; readonly ended: boolean }[]
  readonly requests: Readonly<Record<string, number>>
  readonly reports: { readonly sent: number; readonly pending: number; readonly most_at_once: number }
}

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Stands in for the service: verifies each callback with the library, and answers as the test says. */
export const startReceiver = async (
  statusOf: (webhookId: string, tries: number) => number | Promise<number> = () => 200,
  bodyOf: (path: string) => unknown = () => ({}),
) => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const event = new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as Received['event']
    const webhookId = String(request.headers['webhook-id'])
    const one = { path: request.url ?? '', webhookId, event }
    const tries = received.filter((earlier) => earlier.webhookId === webhookId).length
    const place = received.push({ ...one, status: 0 }) - 1
    const status = await statusOf(webhookId, tries)
    received[place] = { ...one, status }
    response.writeHead(status).end(JSON.stringify(bodyOf(one.path)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const waitFor = async (count: number) => {
    await eventually(() => received.length >= count)
    return received
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, waitFor }
}

export const startAgent = async (serviceUrl: string, journalFile?: string, speed = SPEED): Promise<VoiceAgent> => {
  const agent = await startVoiceAgent({ port: 0, journalFile, serviceUrl, secret: SECRET, speed, log: () => {} })
  let open = true
  const close = async () => {
    if (open) await agent.close()
    open = false
  }
  cleanUps.push(close)
  return { ...agent, close }
}

export const journalPath = () => {
  const folder = mkdtempSync(join(tmpdir(), 'voice-agent-'))
  cleanUps.push(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deeper', 'journal.jsonl')
}

export const post = async (url: string, payload: object, headers: Record<string, string> = {}, signal?: AbortSignal) => {
  const body = JSON.stringify(payload)
  const now = new Date()
  const signed = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', now, body),
  }
  return fetch(url, { method: 'POST', body, headers: { ...signed, ...headers }, ...(signal && { signal }) })
}

export const callTo = (phone: string, serviceUrl: string, key = randomUUID() as string) => ({
  call_id: key,
  lead: { id: 7, phone_number: phone, metadata: { first_name: 'Ada' } },
  script: 'Say hello.',
  transfer: { mode: 'warm', destinations: ['+12125550142'], hold_limit_seconds: 180 },
  escalation: null,
  calendar: false,
  callback_url: `${serviceUrl}/api/agents/calls/${key}/events/`,
  not_after: new Date(SERVICE_NOW + 30_000).toISOString(),
  requested_time: new Date(SERVICE_NOW).toISOString(),
})

export const place = (agent: VoiceAgent, call: ReturnType<typeof callTo>, signal?: AbortSignal) =>
  post(agent.url, call, { 'idempotency-key': call.call_id }, signal)

export const dials = async (agent: VoiceAgent) => (await fetch(`${agent.url}/dials`)).json() as Promise<Dials>

/** Waits until every report of the calls so far has its answer. */
export const allReported = (agent: VoiceAgent) => eventually(async () => (await dials(agent)).reports.pending === 0)

/** Requests a call that gets no answer, and disconnects once the agent has recorded the request. */
export const placeInVain = async (agent: VoiceAgent, call: ReturnType<typeof callTo>): Promise<void> => {
  const leaving = new AbortController()
  const noted = async () => (await dials(agent)).requests[call.call_id] ?? 0
  const before = await noted()
  const placed = place(agent, call, leaving.signal).catch(() => undefined)
  await eventually(async () => (await noted()) > before)
  leaving.abort()
  await placed
}

export const inTime = (received: readonly Received[]) => received.map((one) => one.event).sort((a, b) => a.time.localeCompare(b.time))
