import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Ask, Cancel } from '#shared/agents/platforms/adapter.ts'

/** Parts that the emulators of all platforms share. Each emulator is built from the vendor's documented contract. */

/** A phone that rang. */
export interface Rung {
  readonly platformCallId: string
  readonly to: string
  readonly from: string
  /** Our id of the call, read from where the platform would return it. */
  readonly callId: string | null
}

/**
 * The fate of requests that place a call.
 * - `lost-before`: the connection breaks before the platform dials. `lost-after`: it dials, and the answer is lost.
 * - an answer: the platform gives it and does not dial.
 */
export type DialFault = 'none' | 'lost-before' | 'lost-after' | Reply

/** The fate of callbacks. */
export type CallbackFault = 'none' | 'lost' | 'twice'

export interface Seen {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Status of the answer; absent before there is one. */
  readonly status?: number
}

export interface Reply {
  readonly status: number
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Emulator {
  /** Its API's base URL, without a trailing slash. */
  readonly url: string
  readonly rung: readonly Rung[]
  /** Every request that it has received. */
  readonly seen: readonly Seen[]
  dialFault: DialFault
  callbackFault: CallbackFault
  /** Waits until every callback is sent. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Answers a request; undefined breaks the connection without an answer. */
export type Answer = (request: Seen) => Reply | undefined | Promise<Reply | undefined>

/** A server on a free loopback port. */
export const listen = async (
  answer: Answer,
): Promise<{ readonly url: string; readonly seen: Seen[]; readonly close: () => Promise<void> }> => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const received = { method, path: url, headers, body: await text(request) }
    seen.push(received)
    const reply = await answer(received)
    if (!reply) return void request.socket.destroy()
    Object.assign(received, { status: reply.status })
    const isText = typeof reply.body === 'string'
    const body = isText ? reply.body : reply.body === undefined ? '' : JSON.stringify(reply.body)
    response.writeHead(reply.status, { 'content-type': isText ? 'text/html' : 'application/json', ...reply.headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Sends a platform's request as the service does, without its guard against private addresses. */
export const ask: Ask = async ({ method, url, headers, body }) => {
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
  return { status: answer.status, text: await answer.text() }
}

/** A request of the service to end a call. */
export const cancelOf = (platformCallId: string): Cancel => ({ callId: '51-1', platformCallId, reason: 'A test ends it.', at: 0 })
