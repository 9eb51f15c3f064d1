import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Webhook } from 'standardwebhooks'

/** Limits parallel work. The others wait in order of arrival. */
export class ReportLimit {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #used = 0
  /** Most that were in use at a time. */
  mostUsed = 0

  constructor(most: number) {
    this.#most = most
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#used >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#used++
    this.mostUsed = Math.max(this.mostUsed, this.#used)
    try {
      return await work()
    } finally {
      // The next waiter takes over the slot.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#used--
    }
  }
}

/** A message has the same body at each attempt. */
interface Message {
  readonly eventId: string
  readonly body: string
}

interface DeliveryOptions {
  /** Called before each attempt, because the service may have another address. */
  readonly address: () => string
  readonly webhook: Webhook
  readonly speed: number
  readonly signal: AbortSignal
  /** Limits parallel requests, so that a slow service does not get more at once. */
  readonly lines: ReportLimit
  /** Called before each request. */
  readonly onSend: () => void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
const GIVE_UP_AFTER_MS = 600_000

export interface ServiceReply {
  readonly status: number
  readonly body: string
}

/** Waits for the answer without a timeout: a retry would make a slow service slower. */
const post = (address: string, body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ServiceReply> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers, signal }, (response) => {
      text(response).then((answered) => resolve({ status: response.statusCode ?? 0, body: answered }), reject)
    })
    sent.on('error', reject).end(body)
  })

/** The answer; undefined when the connection broke. */
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
 * Sends a message until the service accepts or refuses it. @returns the final answer; undefined when there is none ten minutes after the
 * end of the first attempt. Rejects when aborted.
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
