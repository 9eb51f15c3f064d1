import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { LOOPBACK } from '../engines/engine.ts'
import { readBody } from '../engines/http-server.ts'
import type { ApiSpec, Invoke } from '../model.ts'
import { listen } from '../processes/ports.ts'
import { type GatewayAnswer, readAnswer } from './answer.ts'
import { proxyEvent, type Received } from './event.ts'
import { type GatewayResponseKind, gatewayAnswer } from './gateway-response.ts'
import { createRouter, type RouteMatch } from './routes.ts'

const graceMs = 800

/** Listens on loopback. @throws StartFailure when the port is taken or not permitted */
const listenOn = async (server: Server, port: number): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  // Clients keep connections longer than Node's default. A connection that the server closes at its next use shows as a failed request.
  server.keepAliveTimeout = 60_000
  const boundPort = await listen(server, port)
  return {
    url: `http://${LOOPBACK}:${boundPort}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

export interface GatewayOptions {
  readonly api: ApiSpec
  readonly invoke: Invoke
  /** 0 takes any free port. */
  readonly port: number
  /** The address of a tunnel to this machine. */
  readonly publicUrl?: string | undefined
  /** Where `GET /` leads. Default: nowhere, as on AWS. */
  readonly landing?: string
  /** Answers requests that are not for the API. @returns whether it has answered */
  readonly beside?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  /** Epoch milliseconds. Default: real time. */
  readonly clock?: () => number
  /** Milliseconds that a function has to answer. Default: API Gateway's limit. */
  readonly integrationTimeoutMs?: number
  /** Gets a line for each request whose answer could not be passed on. */
  readonly warn?: (line: string) => void
}

export interface Gateway {
  readonly url: string
  /** Stops listening. Ends open requests and idle connections within a second. */
  readonly close: () => Promise<void>
}

export const INTEGRATION_LIMIT_MS = 29_000

const mebibyte = 1024 * 1024
const bodyLimit = 10 * mebibyte
/** Lambda's limit for an event is 6 MB. Base64 makes a body a third longer. */
const eventLimit = 6 * mebibyte

/** The route, or the gateway response when there is none. */
const matchOf = (router: ReturnType<typeof createRouter>, method: string, path: string): RouteMatch | GatewayResponseKind => {
  try {
    return router(method, path) ?? 'noRoute'
  } catch {
    return 'badPath'
  }
}

const withinTime = async <Value>(work: Promise<Value>, milliseconds: number): Promise<Value | 'timedOut'> => {
  const { promise, resolve } = Promise.withResolvers<'timedOut'>()
  const timer = setTimeout(() => resolve('timedOut'), milliseconds).unref()
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const bodyless = new Set([204, 304])

/** `at`: the time by the clock of the service. */
const write = (response: ServerResponse, answer: GatewayAnswer, requestId: string, at: number): void => {
  for (const [name, values] of answer.headers) response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values)
  response.setHeader('x-amzn-RequestId', requestId)
  response.setHeader('Date', new Date(at).toUTCString())
  if (bodyless.has(answer.statusCode)) {
    response.writeHead(answer.statusCode).end()
    return
  }
  response.setHeader('Content-Length', answer.body.length)
  response.writeHead(answer.statusCode).end(answer.body)
}

/**
 * Serves the API on 127.0.0.1 like an API Gateway REST API with proxy integrations: routing, events, limits and gateway responses.
 * @throws StartFailure when the port is taken or not permitted
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { api, invoke, port, landing, beside, clock = Date.now, integrationTimeoutMs = INTEGRATION_LIMIT_MS, warn = () => {} } = options
  const router = createRouter(api.routes)
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl)

  const run = async (received: Received, match: RouteMatch): Promise<GatewayAnswer | GatewayResponseKind> => {
    const { request, requestId } = received
    const body = await readBody(request, bodyLimit)
    if (body === undefined) return 'tooLarge'
    const event = proxyEvent(received, match, body, api.binaryMediaTypes)
    if (event.body !== null && event.body.length > eventLimit) return 'tooLarge'
    const refuse = (kind: GatewayResponseKind, reason: string): GatewayResponseKind => {
      warn(`${event.httpMethod} ${event.path} (${requestId}): ${match.route.functionName} ${reason}`)
      return kind
    }
    try {
      const result = await withinTime(invoke(match.route.functionName, event), integrationTimeoutMs)
      if (result === 'timedOut') return refuse('timedOut', `did not answer within ${integrationTimeoutMs} ms`)
      if (!result.ok) return refuse('badAnswer', `failed: ${result.errorType} ${result.message}`)
      const answer = readAnswer(result.payload, api.binaryMediaTypes, request.headers.accept)
      return typeof answer === 'string' ? refuse('badAnswer', `gave a malformed answer: ${answer}`) : answer
    } catch (error) {
      return refuse('unavailable', `could not be invoked: ${String(error)}`)
    }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s)
    const sourceIp = request.socket.remoteAddress ?? ''
    const received = { request, requestId: randomUUID(), receivedAt: clock(), path, query, sourceIp, publicUrl }
    if (landing !== undefined && path === '/' && request.method === 'GET') {
      response.writeHead(302, { Location: landing }).end()
      return
    }
    if (await beside?.(request, response)) return
    const match = matchOf(router, request.method ?? 'GET', path)
    const outcome = typeof match === 'string' ? match : await run(received, match)
    const answer = typeof outcome === 'string' ? gatewayAnswer(api, outcome, received) : outcome
    write(response, answer, received.requestId, clock())
  }

  const server = createServer((request, response) => {
    // Only the connection can fail here: the client disconnected before it had sent its request.
    serve(request, response).catch((error: unknown) => {
      warn(`${request.method} ${request.url}: ${String(error)}`)
      response.destroy()
    })
  })
  return await listenOn(server, port)
}
