import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import * as v from 'valibot'
import type { WEBHOOK_METHODS } from '../values/values.ts'
import { isPrivateAddress, keepToPublic, lookUpPublic, RefusedAddress, type Resolve, resolveName } from './public-addresses.ts'

export interface Guard {
  /** Whether the host may have any address. */
  readonly isExempt: boolean
  readonly resolve?: Resolve
}

export interface GuardedRequest extends Pick<RequestOptions, 'localAddress'> {
  readonly url: URL
  /** Only methods for which Node sends the body with its length. */
  readonly method: (typeof WEBHOOK_METHODS)[number] | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  /** Empty: no body is sent. */
  readonly body: string
  /** Aborts the request at any stage: connection, answer or body. */
  readonly signal: AbortSignal
  /** Called once connected, before the first byte is sent. If it was not called, nothing was sent. */
  readonly onSending?: () => void
}

/**
 * A request to a public address. The address is checked before the connection is made, and again after it. Redirects are not followed. Uses
 * Node's own client: undici is larger than the functions that send requests. No keep-alive: connections die unnoticed between two runs of a
 * function, and each new connection has its address checked.
 * @returns the answer as soon as its headers have arrived
 * @throws RefusedAddress when nothing was sent; the signal's AbortError; any error of the connection
 */
export const guardedRequest = async (
  { url, headers, body, onSending, ...options }: GuardedRequest,
  { isExempt, resolve = resolveName }: Guard,
): Promise<IncomingMessage> => {
  if (!isExempt && isPrivateAddress(url.hostname)) throw new RefusedAddress()
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
  return new Promise((resolved, rejected) => {
    // Host first, as RFC 9110 recommends.
    const named = { host: url.host, ...headers }
    const asked = request(url, { ...options, headers: named, agent: false, ...(!isExempt && { lookup: lookUpPublic(resolve) }) })
      .on('response', resolved)
      .on('error', rejected)
      .on('close', () => rejected(new Error('The connection was closed.')))
    if (!isExempt) asked.on('socket', keepToPublic)
    const send = (): void => {
      if (asked.destroyed || asked.socket?.destroyed) return
      onSending?.()
      // As bytes: with a string, Node would send the headers in the body's encoding, but they need Latin-1.
      asked.end(body && Buffer.from(body))
    }
    // Each request opens its own connection, so the socket is not connected yet.
    asked.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', send))
  })
}

export interface Beginning {
  readonly bytes: Buffer
  /** Whether these bytes are the whole answer. */
  readonly isWhole: boolean
}

/**
 * The part of an answer that arrived before the timeout, or before the connection broke. Reads whole chunks until there are `enough` bytes.
 */
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
    // The status is known by then: return the text that has arrived.
  }
  return { bytes: Buffer.concat(chunks), isWhole }
}

const Late = v.object({ name: v.literal('AbortError') })
const Coded = v.object({ code: v.string() })

/** Why a request failed, as far as it may be shown. The code must be all that is revealed about the network. */
export const failureOf = (error: unknown): { readonly isLate: boolean; readonly code: string | undefined } => ({
  isLate: v.is(Late, error),
  code: v.is(Coded, error) ? error.code : undefined,
})
