import { realNow } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { loggable, logger } from '../platform/logger.ts'
import { beginningOf, failureOf, guardedRequest } from '../platform/safe-fetch/guarded-request.ts'
import { isHostOf, RefusedAddress } from '../platform/safe-fetch/public-addresses.ts'
import { signatureHeaders } from '../platform/safe-fetch/signature-headers.ts'
import type { Instant } from '../platform/values/values.ts'
import { type AttemptAnswer, parseRetryAfter } from './rules/after-attempt.ts'
import { redact, unsureEnd } from './rules/redact/redact.ts'
import { resolveUrl } from './rules/url-template.ts'
import { openHeaders } from './sealed-headers.ts'
import type { Delivery, Subscription } from './webhook.ts'

const UNOPENED = 'The headers of the subscription could not be decrypted: nothing was sent.'

type Destination = Pick<WebhookRequest, 'url' | 'headers'>

const unsent = (error: string, kind: Pick<AttemptAnswer, 'hopeless' | 'blameless'>): { readonly unsent: AttemptAnswer } => ({
  unsent: { status_code: null, duration_ms: 0, error, response_body: null, retryAfter: null, ...kind },
})

/** URL and headers of a delivery. `unsent`: the result when nothing can be sent. */
export const prepare = async (
  { payload }: Pick<Delivery, 'payload'>,
  subscription: Subscription,
): Promise<Destination | { readonly unsent: AttemptAnswer }> => {
  const resolved = resolveUrl(subscription.url, JSON.parse(payload))
  if ('error' in resolved) return unsent(resolved.error, { hopeless: true, blameless: false })
  try {
    return { url: resolved.url, headers: await openHeaders(subscription) }
  } catch (error) {
    // Without its headers, the destination would refuse the request or, worse, accept it.
    logger.error('The headers of a subscription could not be decrypted.', { subscription: subscription.id, error: loggable(error) })
    return unsent(UNOPENED, { hopeless: false, blameless: true })
  }
}

export const KEPT_BYTES = 1024

interface WebhookRequest {
  readonly url: string
  readonly method: Subscription['method']
  readonly eventId: string
  /** JSON text; a GET does not carry it. */
  readonly payload: string
  /** Standard Webhooks secrets, the newest first. Each one signs. */
  readonly secrets: readonly string[]
  /** The subscription's own headers, decrypted. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The customer's headers replace ours, except for the signature's. */
const headersOf = ({ eventId, secrets, headers = {} }: WebhookRequest, body: string, at: Instant): Record<string, string> => {
  const chosen = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const ours = { 'user-agent': 'lead-outreach-webhooks/1.0', ...(body && { 'content-type': 'application/json' }) }
  return {
    ...Object.fromEntries(Object.entries(ours).filter(([name]) => !chosen.has(name))),
    ...headers,
    ...signatureHeaders(secrets, eventId, at, body),
  }
}

/** The first KiB as it will be stored, without a character cut in two. Each invalid byte takes three bytes. */
const firstOf = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true })
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES)).read)
}

/** Reads past the end of the kept part, so that a header value which the cut divides is found. */
const kept = async (answer: AsyncIterable<Uint8Array>, headers: WebhookRequest['headers'] = {}): Promise<string> => {
  const { bytes, isWhole } = await beginningOf(answer, KEPT_BYTES + unsureEnd(headers))
  return Object.keys(headers).length === 0 ? firstOf(bytes) : firstOf(Buffer.from(redact(bytes.toString(), headers, isWhole)))
}

const describe = (error: unknown): string => {
  if (error instanceof RefusedAddress) return error.message
  const { isLate, code } = failureOf(error)
  if (isLate) return `No answer within ${setting('WEBHOOK_TIMEOUT_MS') / 1000} seconds.`
  return code === undefined ? 'The request failed.' : `The request failed: ${code}.`
}

const describeStatus = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `Redirects are not followed (${status}).` : `The destination answered ${status}.`
}

/** Sends one request to a destination. Never throws: errors are in the answer. Redirects are not followed. */
export const sendWebhook = async (webhook: WebhookRequest): Promise<AttemptAnswer> => {
  const started = realNow()
  const body = webhook.method === 'GET' ? '' : webhook.payload
  const answered = (answer: Partial<AttemptAnswer>): AttemptAnswer => ({
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
    const url = new URL(webhook.url)
    const headers = headersOf(webhook, body, started)
    const signal = AbortSignal.timeout(setting('WEBHOOK_TIMEOUT_MS'))
    const isExempt = isHostOf(setting('PRIVATE_WEBHOOK_HOSTS'), url)
    const answer = await guardedRequest({ url, method: webhook.method, headers, body, signal }, { isExempt })
    const status = answer.statusCode ?? 0
    return answered({
      status_code: status,
      error: describeStatus(status),
      response_body: await kept(answer, webhook.headers),
      retryAfter: parseRetryAfter(answer.headers['retry-after'] ?? '', realNow()) ?? null,
    })
  } catch (error) {
    return answered({ error: describe(error) })
  }
}
