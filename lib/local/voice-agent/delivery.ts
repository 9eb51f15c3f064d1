import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Webhook } from 'standardwebhooks'
import type { ReportLimit } from './lines.ts'

/** A report has the same body each time that it is sent under its id. */
interface Message {
  readonly eventId: string
  readonly body: string
}

export interface DeliveryOptions {
  /** Asked before each try, because the service may have moved. */
  readonly address: () => string
  readonly webhook: Webhook
  readonly speed: number
  readonly signal: AbortSignal
  /** Reports under way at a time: a service that is slow is not asked for more at once. */
  readonly lines: ReportLimit
  /** Called for each request. */
  readonly onSend: () => void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
const GIVE_UP_AFTER_MS = 600_000

export interface ServiceReply {
  readonly status: number
  readonly body: string
}

/** The answer, however long it takes: another request for the same would make a slow service slower. */
const post = (address: string, body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ServiceReply> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers, signal }, (response) => {
      text(response).then((answered) => resolve({ status: response.statusCode ?? 0, body: answered }), reject)
    })
    sent.on('error', reject).end(body)
  })

/** The answer, or undefined when the connection broke. */
const send = async (message: Message, { address, webhook, signal, onSend }: DeliveryOptions): Promise<ServiceReply | undefined> => {
  signal.throwIfAborted()
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': message.eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign(message.eventId, now, message.body),
  }
  onSend()
  return post(address(), message.body, headers, signal).catch(() => undefined)
}

const isFinal = (status: number) => (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 429)

/**
 * Sends a message, and again until the service accepts or refuses it. Gives the service's final answer, or undefined when it
 * gave none within ten minutes of the first try. Rejects when aborted.
 */
export const deliver = async (message: Message, options: DeliveryOptions): Promise<ServiceReply | undefined> => {
  const { speed, signal, lines } = options
  let giveUpAt: number | undefined
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const reply = await lines.use(() => send(message, options))
    signal.throwIfAborted()
    if (reply && isFinal(reply.status)) return reply
    giveUpAt ??= Date.now() + GIVE_UP_AFTER_MS
    if (Date.now() + pause / speed > giveUpAt) return undefined
    await sleep(pause / speed, undefined, { signal })
  }
}
