/**
 * A voice agent for the open protocol, which docs/voice-agents.md describes. It rings no phone, but pretends each conversation. It needs
 * Node.js 24 and nothing else:
 *
 *   SECRET=whsec_… node docs/examples/voice-agent.ts
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const { SECRET = '', PORT = '8090', CALLS = 'calls', RING_SECONDS = '2', TALK_SECONDS = '3', CLOCK_AHEAD_SECONDS = '0' } = process.env

/** Milliseconds. */
const SECOND = 1000
const LONGEST_PAUSE = 60 * SECOND
const RETRIED_FOR = 24 * 60 * 60 * SECOND

/** The part of a request to place a call that this agent uses. Do not refuse fields that you do not know. */
interface PlaceCall {
  readonly call_id: string
  readonly lead: { readonly phone_number: string }
  readonly disclosures: readonly { readonly say: readonly string[] }[]
  readonly callback_url: string
  readonly not_after: string
}

type Answer = readonly [status: number, body: object]

/** The service's time. It differs from ours only if a local service was started with `--now`. */
const now = (): number => Date.now() + Number(CLOCK_AHEAD_SECONDS) * SECOND

const signature = (id: string, timestamp: string, body: string): string => {
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** There may be several signatures while the secret is being replaced. Old requests are refused: somebody may have recorded them. */
const isSigned = (headers: IncomingHttpHeaders, body: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!(Math.abs(Date.now() / SECOND - Number(timestamp)) < 300)) return false
  const right = Buffer.from(signature(`${id}`, `${timestamp}`, body))
  const given = `${signatures}`.split(' ').map((one) => Buffer.from(one))
  return given.some((one) => one.length === right.length && timingSafeEqual(one, right))
}

const providerCallId = ({ call_id }: PlaceCall): string => `example-${call_id}`

/** Sends a report until the service accepts or refuses it. A signature is valid for five minutes, so each attempt has its own. */
const report = async (call: PlaceCall, type: string, data: object, hangUp: AbortController): Promise<void> => {
  const event_id = randomUUID()
  const time = new Date(now()).toISOString()
  const body = JSON.stringify({ type, call_id: call.call_id, time, provider_call_id: providerCallId(call), event_id, data })
  const giveUpAt = Date.now() + RETRIED_FOR
  for (let pause = SECOND; Date.now() < giveUpAt; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      const timestamp = `${Math.floor(Date.now() / SECOND)}`
      const signed = { 'webhook-id': event_id, 'webhook-timestamp': timestamp, 'webhook-signature': signature(event_id, timestamp, body) }
      const headers = { 'content-type': 'application/json', ...signed }
      const answer = await fetch(call.callback_url, { method: 'POST', headers, body, signal: AbortSignal.timeout(15 * SECOND) })
      const said = await answer.text()
      if (answer.ok && JSON.parse(said).cancel) hangUp.abort()
      if (answer.ok) return
      if (answer.status < 500 && answer.status !== 429) return console.error(`${type} of ${call.call_id} was refused: ${said}`)
    } catch {
      // There was no answer, or only a part of one.
    }
    await sleep(pause)
  }
}

/** Calls that ring. A cancel request ends only these. */
const ringing = new Map<string, AbortController>()

/** Pretends a call. The reports are not awaited, since they may arrive in any order. */
const converse = async (call: PlaceCall): Promise<void> => {
  const hangUp = new AbortController()
  const { signal } = hangUp
  const tell = (type: string, data: object = {}): void => void report(call, type, data, hangUp)
  console.log(`Dialling ${call.lead.phone_number} for ${call.call_id}`)
  console.log(`The law demands to say: ${[...new Set(call.disclosures.flatMap(({ say }) => say))].join(', ')}`)
  ringing.set(call.call_id, hangUp)
  let outcome = 'failed'
  let answeredAt: number | undefined
  try {
    await sleep(Number(RING_SECONDS) * SECOND, undefined, { signal })
    ringing.delete(call.call_id)
    answeredAt = now()
    outcome = 'completed'
    tell('call.answered')
    await sleep(Number(TALK_SECONDS) * SECOND, undefined, { signal })
    tell('call.data_collected', { collected: { is_homeowner: true } })
    outcome = 'assigned'
  } catch {
    // Told to hang up. A real agent says goodbye if somebody has answered.
  }
  ringing.delete(call.call_id)
  const duration_seconds = answeredAt === undefined ? 0 : (now() - answeredAt) / SECOND
  tell('call.ended', { duration_seconds, presumed_outcome: outcome })
  tell('call.completed', { outcome, is_contact: answeredAt !== undefined, summary: 'A pretended call.' })
}

/** Whether a call is new. Its file can be made only once, so it is dialled at most once, even if the agent restarts. */
const isNew = async ({ call_id }: PlaceCall): Promise<boolean> => {
  try {
    await writeFile(join(CALLS, encodeURIComponent(call_id)), '', { flag: 'wx' })
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    throw error
  }
}

/** Answers at once. A repeat gets the same answer. */
const place = async (call: PlaceCall): Promise<Answer> => {
  if (now() > Date.parse(call.not_after)) return [422, { detail: 'It is too late to dial.' }]
  if (await isNew(call)) void converse(call)
  return [200, { provider_call_id: providerCallId(call) }]
}

const answerTo = async (path: string, body: string): Promise<Answer> => {
  const request = JSON.parse(body)
  if (!path.endsWith('/cancel')) return place(request)
  ringing.get(request.call_id)?.abort()
  return [200, {}]
}

if (!SECRET.startsWith('whsec_')) throw new Error('Set SECRET to the secret of the agent: whsec_…')
await mkdir(CALLS, { recursive: true })
const server = createServer(async (request, response) => {
  const respond = ([status, body]: Answer) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  try {
    const body = await text(request)
    respond(isSigned(request.headers, body) ? await answerTo(`${request.url}`, body) : [401, { detail: 'Invalid signature.' }])
  } catch (error) {
    console.error(error)
    respond([500, { detail: 'The agent failed.' }])
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${Object(server.address()).port}`))
