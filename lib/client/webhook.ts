import type { WebhookPayload } from './operations.ts'

/** The request does not come from the service, or is too old. Answer 401. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
}

type FetchHeaders = Pick<Headers, 'get'>

/** Headers of a request: of `fetch`, or of Node.js. */
type ReceivedHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>

interface Signed {
  /** The body exactly as it came. A parsed body that is made JSON again may differ. */
  readonly body: string | Uint8Array
  readonly headers: ReceivedHeaders
  /** The webhook secret, `whsec_…`. While you replace it: the new and the old one. */
  readonly secrets: string | readonly string[]
  /** How far the clocks may differ. Default: 300. Older requests may be copies that somebody else sends. */
  readonly toleranceSeconds?: number
  /** Epoch milliseconds. Default: now. */
  readonly now?: number
}

/** The headers of a request. No class is required, so those of any library fit. */
const isOfFetch = (headers: ReceivedHeaders): headers is FetchHeaders => 'get' in headers && typeof headers.get === 'function'

const headerOf = (headers: ReceivedHeaders, name: string): string => {
  const value = isOfFetch(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key, text]) => key.toLowerCase() === name && text !== undefined)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookSignatureError(`The header ${name} is missing.`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const keyOf = (secret: string | undefined) => {
  const bytes = bytesOf(secret?.replace(/^whsec_/, '') ?? '')
  if (bytes.length === 0) throw new Error('A webhook secret is whsec_ and text in base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)

/** Checks that the service sent the request, as Standard Webhooks describes. @throws WebhookSignatureError */
export const verifySignature = async ({ body, headers, secrets, toleranceSeconds = 300, now = Date.now() }: Signed): Promise<void> => {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d+$/.test(timestamp)) throw new WebhookSignatureError('The header webhook-timestamp is not a number of seconds.')
  const difference = Math.floor(now / 1000) - Number(timestamp)
  if (Math.abs(difference) > toleranceSeconds) {
    throw new WebhookSignatureError(`The request was signed ${Math.abs(difference)} seconds ${difference > 0 ? 'ago' : 'in the future'}.`)
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${textOf(body)}`)
  const keys = await Promise.all([secrets].flat().map(keyOf))
  for (const [version, signature = ''] of signatures.split(' ').map((text) => text.split(','))) {
    if (version !== 'v1') continue
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return
  }
  throw new WebhookSignatureError('No signature matches a secret.')
}

/** The payload of a webhook, after its signature was checked. A webhook that is a GET has none: see `verifySignature`. */
export const readWebhook = async (signed: Signed): Promise<WebhookPayload> => {
  await verifySignature(signed)
  return JSON.parse(textOf(signed.body))
}
