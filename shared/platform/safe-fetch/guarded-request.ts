import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import * as v from 'valibot'
import type { WEBHOOK_METHODS } from '../values/values.ts'
import { isPrivateAddress, keepToPublic, lookUpPublic, RefusedAddress, type Resolve, resolveName } from './public-addresses.ts'

export interface Guard {
  /** Whether the host may be reached wherever it is. */
  readonly isExempt: boolean
  readonly resolve?: Resolve
}

export interface GuardedRequest extends Pick<RequestOptions, 'localAddress'> {
  readonly url: URL
  /** Of those whose body Node sends with its length. */
  readonly method: (typeof WEBHOOK_METHODS)[number]
  readonly headers: Readonly<Record<string, string>>
  /** Empty: none is sent. */
  readonly body: string
  /** Ends it, whether it waits for a connection, for the answer or for its text. */
  readonly signal: AbortSignal
  /** Called once connected, before the first byte is sent. If it was not called, nothing was sent. */
  readonly onSending?: () => void
}

/**
 * A request to a public address, which is checked before the connection and once it stands. Redirects are not followed. Node's own client
 * and not undici: that one is larger than the functions that ask. Without keep-alive: between two runs of a function connections
 * die unseen, and every new one has its address checked.
 * @returns the answer as soon as its headers are there
 * @throws RefusedAddress when nothing was sent; the signal's AbortError; whatever befell the connection
 */
export const guardedRequest = async (
  { url, headers, body, onSending, ...options }: GuardedRequest,
  { isExempt, resolve = resolveName }: Guard,
): Promise<IncomingMessage> => {
  if (!isExempt && isPrivateAddress(url.hostname)) throw new RefusedAddress()
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
  return new Promise((resolved, rejected) => {
    // First, as RFC 9110 would have it.
    const named = { host: url.host, ...headers }
    const asked = request(url, { ...options, headers: named, agent: false, ...(!isExempt && { lookup: lookUpPublic(resolve) }) })
      .on('response', resolved)
      .on('error', rejected)
      .on('close', () => rejected(new Error('The connection was closed.')))
    if (!isExempt) asked.on('socket', keepToPublic)
    const send = (): void => {
      if (asked.destroyed || asked.socket?.destroyed) return
      onSending?.()
      // As bytes: with a text Node sends also the headers in its encoding, and theirs is Latin-1.
      asked.end(body && Buffer.from(body))
    }
    // Each request opens its own connection, which is not open yet.
    asked.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', send))
  })
}

export interface Beginning {
  readonly bytes: Buffer
  /** Whether nothing comes after it. */
  readonly isWhole: boolean
}

/** What has come of an answer by the time-out, or before the connection broke: whole chunks of it until there are `enough` bytes. */
export const beginningOf = async (answer: AsyncIterable<Uint8Array>, enough: number): Promise<Beginning> => {
  const chunks: Uint8Array[] = []
  let size = 0
  let isWhole = false
  try {
    for await (const chunk of answer) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= enough) break
    }
    isWhole = size < enough
  } catch {
    // The status is known by then: who wants the text takes what there is of it.
  }
  return { bytes: Buffer.concat(chunks), isWhole }
}

const Late = v.object({ name: v.literal('AbortError') })
const Coded = v.object({ code: v.string() })

/** Why a request failed that was begun: what may be told of it. Whoever is told need not learn more of the network than the code. */
export const failureOf = (error: unknown): { readonly isLate: boolean; readonly code: string | undefined } => ({
  isLate: v.is(Late, error),
  code: v.is(Coded, error) ? error.code : undefined,
})
