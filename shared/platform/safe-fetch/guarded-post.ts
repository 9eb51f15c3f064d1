import { setting } from '../environment.ts'
import { beginningOf, failureOf, type GuardedRequest, guardedRequest } from './guarded-request.ts'
import { isHostOf, isPrivateAddress, RefusedAddress, type Resolve } from './public-addresses.ts'

export interface GuardedPost {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds for the whole answer. */
  readonly timeout: number
  /** POST by default. */
  readonly method?: GuardedRequest['method']
  /** Most bytes of the answer that are read. */
  readonly mostBytes?: number
}

/** `unsent`: certainly nothing was sent. `unclear`: the request may have arrived. */
export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string; readonly contentType?: string | undefined }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

/** Most bytes of an answer that are read by default. */
export const MOST_ANSWER_BYTES = 64 * 1024

const describe = (error: unknown, awaited: 'answer' | 'connection'): string => {
  const { isLate, code = 'the connection was closed' } = failureOf(error)
  return isLate ? `no ${awaited} in time.` : `${code}.`
}

const isExempted = (url: URL): boolean => isHostOf(setting('PRIVATE_AGENT_HOSTS'), url)

const isAskable = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isExempted(url))

/** Why nothing can ever be posted to an operator's address, as a sentence. Undefined: the address shows no such reason. */
export const addressRefusal = (url: URL): string | undefined => {
  if (!isAskable(url)) return 'The address must be https. Only hosts that the deployment lists as private may use http.'
  if (url.username !== '' || url.password !== '')
    return 'The address must not contain a user or password: requests are signed with the secret.'
  if (isPrivateAddress(url.hostname) && !isExempted(url))
    return 'The address is not public, and the deployment does not list it as a private host.'
  return undefined
}

/**
 * An HTTPS request to a public address. Hosts that the deployment names may have any address, and may use plain HTTP. Redirects are not
 * followed. Failures are returned in the answer.
 */
export const guardedPost = async (
  { timeout, mostBytes = MOST_ANSWER_BYTES, ...post }: GuardedPost,
  resolve?: Resolve,
): Promise<PostAnswer> => {
  if (!isAskable(post.url)) return { kind: 'unsent', reason: 'The address must be https, or a host that the deployment lists as private.' }
  let isSent = false
  const onSending = (): void => {
    isSent = true
  }
  try {
    const request = { method: 'POST' as const, ...post, signal: AbortSignal.timeout(timeout), onSending }
    const answer = await guardedRequest(request, { isExempt: isExempted(post.url), ...(resolve && { resolve }) })
    const { bytes } = await beginningOf(answer, mostBytes)
    const { statusCode: status = 0, headers } = answer
    return { kind: 'answered', status, text: bytes.subarray(0, mostBytes).toString(), contentType: headers['content-type'] }
  } catch (error) {
    if (error instanceof RefusedAddress) return { kind: 'unsent', reason: error.message }
    return isSent ? { kind: 'unclear', reason: describe(error, 'answer') } : { kind: 'unsent', reason: describe(error, 'connection') }
  }
}
