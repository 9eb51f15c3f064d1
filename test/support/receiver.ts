import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from './eventually.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact body. */
  readonly body: string
  /** Epoch milliseconds. */
  readonly time: number
}

/** The destination's answer. The receiver may also answer by itself and return nothing. */
export interface ReceiverAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface ReceiverOptions {
  /** `count`: the number of this request, from 1. Default: answer 200 to all. */
  readonly respond?: (
    request: ReceivedRequest,
    count: number,
    response: ServerResponse,
  ) => ReceiverAnswer | undefined | Promise<ReceiverAnswer>
}

export interface Receiver {
  /** Without a trailing slash. */
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** Resolves once `count` requests have arrived. */
  waitFor(count: number): Promise<ReceivedRequest[]>
  close(): Promise<void>
}

/** A customer's system on loopback that records its requests. */
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
