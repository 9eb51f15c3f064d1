import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { listen } from '../processes/ports.ts'
import { type Engine, LOOPBACK } from './engine.ts'

/** Closes at once, and cuts open connections. */
export const closeServer = (server: Server): Promise<void> => {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}

/** Reads a body of at most `limit` bytes. A longer body gives undefined at once, and its rest is discarded. */
export const readBody = (request: IncomingMessage, limit: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const collect = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.off('data', collect).resume()
      chunks.length = 0
      resolve(undefined)
    }
    request.on('data', collect)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('The client disconnected before the request was complete.')))
  })

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Makes a failure of the handler end only its request, not the process. Clients disconnect, or send malformed requests. */
const guarded =
  (handle: Handler) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await handle(request, response)
    } catch {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    }
  }

/** Guards the request handlers that a library has put on its server. */
export const guardServer = (server: Server): void => {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on(
    'request',
    guarded(async (request, response) => {
      for (const listener of listeners) await Reflect.apply(listener, server, [request, response])
    }),
  )
}

/** A request in AWS's JSON protocol. */
export interface JsonRequest {
  /** The requested operation, such as `TrentService.Decrypt`. */
  readonly target: string | undefined
  readonly headers: IncomingHttpHeaders
  /** Undefined when the body is not JSON. */
  readonly body: unknown
}

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

/** @param type of the exception that the client throws */
export const engineRefusal = (type: string): JsonAnswer => ({ status: 400, body: { __type: type, message: type } })

const Json = v.pipe(v.string(), v.parseJson())
const Target = v.optional(v.string())

/** Serves AWS's JSON protocol on a free port. */
export const startJsonServer = async (answerTo: (request: JsonRequest) => JsonAnswer | Promise<JsonAnswer>): Promise<Engine> => {
  const server = createServer(
    guarded(async (incoming, response) => {
      const read = v.safeParse(Json, await text(incoming))
      const target = v.parse(Target, incoming.headers['x-amz-target'])
      const answer = await answerTo({ target, headers: incoming.headers, body: read.success ? read.output : undefined })
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer.body))
    }),
  )
  const port = await listen(server, 0)
  return { url: `http://${LOOPBACK}:${port}`, stop: () => closeServer(server) }
}
