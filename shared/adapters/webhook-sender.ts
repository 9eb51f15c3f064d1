import { Webhook } from 'standardwebhooks'
import { Agent, type Dispatcher, request } from 'undici'
import * as v from 'valibot'
import type { Answer } from '../domain/webhooks/after-attempt.ts'
import { redact } from '../domain/webhooks/redact.ts'
import { parseRetryAfter } from '../domain/webhooks/retry-schedule.ts'
import type { Subscription } from '../schema/webhook.ts'
import { realNow } from './clock.ts'
import { setting } from './environment.ts'
import { guardedConnector } from './guarded-connector.ts'
import { RefusedAddress } from './public-addresses.ts'

const TIMEOUT = 15_000
const KEPT_BYTES = 1024

/** Without keep-alive: between two runs of a function connections die unseen, and every new one has its address checked. */
const agent = new Agent({
  pipelining: 0,
  headersTimeout: TIMEOUT,
  bodyTimeout: TIMEOUT,
  connect: guardedConnector({ isExempt: (hostname) => setting('PRIVATE_HOSTS').includes(hostname), timeout: TIMEOUT }),
})

export interface WebhookRequest {
  readonly url: string
  readonly method: Subscription['method']
  readonly eventId: string
  /** JSON text; a GET does not carry it. */
  readonly payload: string
  /** Standard Webhooks secrets, the newest first: each of them signs. */
  readonly secrets: readonly string[]
  /** The subscription's own, opened. */
  readonly headers?: Readonly<Record<string, string>>
  /** Gives it up before its time is over. */
  readonly signal?: AbortSignal
}

/** The customer's take the place of ours, but for those of the signature. */
const headersOf = ({ eventId, secrets, headers = {} }: WebhookRequest, body: string, at: Date): Record<string, string> => {
  const chosen = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const ours = { 'user-agent': 'lead-outreach-webhooks/1.0', ...(body && { 'content-type': 'application/json' }) }
  return {
    ...Object.fromEntries(Object.entries(ours).filter(([name]) => !chosen.has(name))),
    ...headers,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  }
}

/** The first KiB, without a character that is cut in two. */
const firstOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true })

/**
 * What has come by the time-out counts: the status is known by then. Header values that it repeats are looked for past the end of what is
 * kept.
 */
const beginning = async (body: Dispatcher.ResponseData['body'], headers: WebhookRequest['headers'] = {}): Promise<string> => {
  const needed = KEPT_BYTES + Math.max(0, ...Object.values(headers).map((value) => value.length * 2))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size >= needed) break
    }
  } catch {
    // The answer's beginning is only for the log.
  }
  const all = Buffer.concat(chunks)
  return Object.keys(headers).length === 0 ? firstOf(all) : firstOf(Buffer.from(redact(all.toString(), headers)))
}

const Coded = v.object({ code: v.string() })
const Named = v.object({ name: v.string() })

/** For the customer's eyes: nothing of what the system says beside the code. */
const describe = (error: unknown): string => {
  if (error instanceof RefusedAddress) return error.message
  if (v.is(Named, error) && error.name === 'TimeoutError') return `No answer within ${setting('WEBHOOK_TIMEOUT_MS') / 1000} seconds.`
  return v.is(Coded, error) ? `The request failed: ${error.code}.` : 'The request failed.'
}

const describeStatus = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `Redirects are not followed (${status}).` : `The destination answered ${status}.`
}

/** One request to a destination. Whatever goes wrong with it is in the answer. Redirects are not followed. */
export const sendWebhook = async (webhook: WebhookRequest): Promise<Answer> => {
  const started = realNow()
  const body = webhook.method === 'GET' ? '' : webhook.payload
  const answered = (answer: Partial<Answer>): Answer => ({
    status_code: null,
    error: null,
    response_body: null,
    retryAfter: null,
    hopeless: false,
    blameless: false,
    ...answer,
    duration_ms: realNow() - started,
  })
  try {
    const response = await request(webhook.url, {
      dispatcher: agent,
      method: webhook.method,
      headers: headersOf(webhook, body, new Date(started)),
      ...(body && { body }),
      signal: AbortSignal.any([...(webhook.signal ? [webhook.signal] : []), AbortSignal.timeout(setting('WEBHOOK_TIMEOUT_MS'))]),
    })
    const [header = ''] = [response.headers['retry-after'] ?? []].flat()
    return answered({
      status_code: response.statusCode,
      error: describeStatus(response.statusCode),
      response_body: await beginning(response.body, webhook.headers),
      retryAfter: parseRetryAfter(header, realNow()) ?? null,
    })
  } catch (error) {
    return answered({ error: describe(error) })
  }
}
