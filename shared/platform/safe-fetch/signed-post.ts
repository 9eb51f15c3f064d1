import { realNow } from '../clock.ts'
import { guardedPost, type PostAnswer } from './guarded-post.ts'
import { signatureHeaders } from './signature-headers.ts'

export type { PostAnswer }

/** A request to a system that the operator or a customer has named: a voice agent or a calendar. */
interface SignedPost {
  readonly url: string
  /** Standard Webhooks secrets, newest first; each of them signs. Empty: the request is not signed. */
  readonly secrets: readonly string[]
  /** Idempotency key, and id in the signature. */
  readonly key: string
  readonly body: unknown
  /** Milliseconds for the whole answer. */
  readonly timeout: number
}

/** @returns undefined when a secret is malformed */
const signatures = (secrets: readonly string[], id: string, body: string): Readonly<Record<string, string>> | undefined => {
  try {
    return secrets.length === 0 ? {} : signatureHeaders(secrets, id, realNow(), body)
  } catch {
    return undefined
  }
}

/** A guarded and signed POST of JSON. Failures are returned in the answer. */
export const signedPost = async ({ url, secrets, key, body: content, timeout }: SignedPost): Promise<PostAnswer> => {
  const body = JSON.stringify(content)
  const signature = signatures(secrets, key, body)
  if (!signature) return { kind: 'unsent', reason: 'A secret to sign with is malformed.' }
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...signature }
  return guardedPost({ url: new URL(url), headers, body, timeout })
}
