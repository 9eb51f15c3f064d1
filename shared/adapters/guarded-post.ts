import { request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import * as v from 'valibot'
import { setting } from './environment.ts'
import { isPrivateAddress, lookUpPublic, RefusedAddress, type Resolve, resolveName } from './public-addresses.ts'

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

interface Response extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number | undefined
}

/** Bytes of an answer that are read, at most. */
const MOST_BYTES = 64 * 1024

/** What has come by the time-out, or before the connection broke: the status is known by then. */
const beginning = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MOST_BYTES) break
    }
  } catch {
    // An answer that breaks off cannot be read as JSON, which is all that its reader asks of it.
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString()
}

/** Node's own client and not undici's: that one is larger than the functions that ask. Without keep-alive, as every address is checked. */
const responseTo = ({ url, headers, body, timeout }: GuardedPost, isExempt: boolean, resolve: Resolve): Promise<Response> => {
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
  const options = { method: 'POST', headers, agent: false, signal: AbortSignal.timeout(timeout) }
  return new Promise((resolved, rejected) => {
    request(url, isExempt ? options : { ...options, lookup: lookUpPublic(resolve) })
      .on('response', resolved)
      .on('error', rejected)
      .on('close', () => rejected(new Error('The connection was closed.')))
      .end(body)
  })
}

const Named = v.object({ name: v.literal('AbortError') })
const Coded = v.object({ code: v.string() })

/** Whoever is told need not learn more of the network than the code. */
const describe = (error: unknown): string => {
  if (v.is(Named, error)) return 'no answer in time.'
  return v.is(Coded, error) ? `${error.code}.` : 'the connection was closed.'
}

/**
 * An HTTPS POST to a public address; hosts that the deployment names may be anywhere, and be asked in the clear. Redirects are not
 * followed. Whatever goes wrong is in the answer.
 */
export const guardedPost = async (post: GuardedPost, resolve: Resolve = resolveName): Promise<PostAnswer> => {
  const { protocol, hostname } = post.url
  const isExempt = setting('PRIVATE_HOSTS').includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isExempt))
    return { kind: 'unsent', reason: 'The address must be https, or a host that the deployment names.' }
  try {
    if (!isExempt && isPrivateAddress(hostname)) throw new RefusedAddress()
    const response = await responseTo(post, isExempt, resolve)
    return { kind: 'answered', status: response.statusCode ?? 0, text: await beginning(response) }
  } catch (error) {
    if (error instanceof RefusedAddress) return { kind: 'unsent', reason: error.message }
    return { kind: 'unclear', reason: describe(error) }
  }
}
