import { Webhook } from 'standardwebhooks'
import { realNow } from './clock.ts'
import { guardedPost, type PostAnswer } from './guarded-post.ts'

export type { PostAnswer }

/** A request to a system that the operator or a customer has named: a voice agent, a calendar. */
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

const signed = (secrets: readonly string[], id: string, body: string): Record<string, string> => {
  if (secrets.length === 0) return {}
  const at = new Date(realNow())
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

/** @returns undefined when a secret is none */
const signatures = (...given: Parameters<typeof signed>): Record<string, string> | undefined => {
  try {
    return signed(...given)
  } catch {
    return undefined
  }
}

/** A guarded POST of JSON, signed. Whatever goes wrong is in the answer. */
export const signedPost = async ({ url, secrets, key, body: content, timeout }: SignedPost): Promise<PostAnswer> => {
  const body = JSON.stringify(content)
  const signature = signatures(secrets, key, body)
  if (!signature) return { kind: 'unsent', reason: 'A secret to sign with is malformed.' }
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...signature }
  return guardedPost({ url: new URL(url), headers, body, timeout })
}
