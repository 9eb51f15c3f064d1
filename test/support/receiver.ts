import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from './eventually.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As it came, to the byte. */
  readonly body: string
  /** Epoch milliseconds. */
  readonly time: number
}

/** What the destination answers to a request; it may also answer in its own way and return nothing. */
export interface ReceiverAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface ReceiverOptions {
  /** `count`: which request this is, from 1. Without it every request is answered with 200. */
  readonly respond?: (
    request: ReceivedRequest,
    count: number,
    response: ServerResponse,
  ) => ReceiverAnswer | undefined | Promise<ReceiverAnswer>
}

export interface Receiver {
  /** Without a slash at its end. */
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** Resolves as soon as `count` requests have come. */
  waitFor(count: number): Promise<ReceivedRequest[]>
  close(): Promise<void>
}

/** A customer's system on loopback, which keeps what it is sent. */
export const startReceiver = async ({ respond }: ReceiverOptions = {}): Promise<Receiver> => {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body, time: Date.now() }
    const count = requests.push(request)
    const answer = respond ? await respond(request, count, response) : {}
    if (answer) response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    waitFor: async (count) => {
      await eventually(() => requests.length >= count)
      return requests
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
