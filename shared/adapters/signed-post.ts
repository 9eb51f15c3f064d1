import { Webhook } from 'standardwebhooks'
import { realNow } from './clock.ts'
import { setting } from './environment.ts'

/** A request to a system that the operator has named: a voice agent, a calendar. */
export interface SignedPost {
  readonly url: string
  /** Standard Webhooks secrets, the newest first: each of them signs. None: the request is not signed. */
  readonly secrets: readonly string[]
  /** Idempotency key, and the id that is signed. */
  readonly key: string
  readonly body: unknown
  /** Milliseconds until the answer is there. */
  readonly timeout: number
}

export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** For certain not sent: the address is not to be reached. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** It may have arrived. */
  | { readonly kind: 'unclear'; readonly reason: string }

/** Bytes of an answer that are read, at most. */
const MOST_BYTES = 64 * 1024

const signed = (secrets: readonly string[], id: string, body: string): Record<string, string> => {
  if (secrets.length === 0) return {}
  const at = new Date(realNow())
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

const mayReach = (url: URL): boolean => url.protocol === 'https:' || setting('PRIVATE_HOSTS').includes(url.hostname)

/** What has come by the time-out, or before the connection broke: the status is known by then. */
const beginning = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MOST_BYTES) break
    }
  } catch {
    // An answer that breaks off cannot be read as JSON, which is all that its reader asks of it.
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString()
}

/** An HTTPS POST of JSON; plain HTTP only to hosts that the deployment names. Redirects are not followed. Whatever goes wrong is in the answer. */
export const signedPost = async ({ url: address, secrets, key, body: content, timeout }: SignedPost): Promise<PostAnswer> => {
  const url = new URL(address)
  if (!mayReach(url)) return { kind: 'unsent', reason: 'The address must be https, or a host that the deployment names.' }
  const body = JSON.stringify(content)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...signed(secrets, key, body) },
      body,
    })
    return { kind: 'answered', status: response.status, text: await beginning(response) }
  } catch (error) {
    return { kind: 'unclear', reason: error instanceof Error ? error.message : 'unknown error' }
  }
}
