import { setting } from './environment.ts'
import { beginningOf, failureOf, guardedRequest } from './guarded-request.ts'
import { RefusedAddress, type Resolve } from './public-addresses.ts'

export interface GuardedPost {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds until the answer is there. */
  readonly timeout: number
}

/** `unsent`: for certain nothing was sent. `unclear`: it may have arrived. */
export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

/** Bytes of an answer that are read, at most. */
export const MOST_BYTES = 64 * 1024

const describe = (error: unknown): string => {
  const { isLate, code = 'the connection was closed' } = failureOf(error)
  return isLate ? 'no answer in time.' : `${code}.`
}

/**
 * An HTTPS POST to a public address; hosts that the deployment names may be anywhere, and be asked in the clear. Redirects are not
 * followed. Whatever goes wrong is in the answer.
 */
export const guardedPost = async ({ timeout, ...post }: GuardedPost, resolve?: Resolve): Promise<PostAnswer> => {
  const { protocol, hostname } = post.url
  const isExempt = setting('PRIVATE_HOSTS').includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isExempt))
    return { kind: 'unsent', reason: 'The address must be https, or a host that the deployment names.' }
  try {
    const request = { ...post, method: 'POST' as const, signal: AbortSignal.timeout(timeout) }
    const answer = await guardedRequest(request, { isExempt, ...(resolve && { resolve }) })
    const { bytes } = await beginningOf(answer, MOST_BYTES)
    return { kind: 'answered', status: answer.statusCode ?? 0, text: bytes.subarray(0, MOST_BYTES).toString() }
  } catch (error) {
    if (error instanceof RefusedAddress) return { kind: 'unsent', reason: error.message }
    return { kind: 'unclear', reason: describe(error) }
  }
}
