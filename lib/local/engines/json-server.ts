import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { LOOPBACK } from './access.ts'
import type { Engine } from './engine.ts'
import { closeServer, guarded } from './http-server.ts'
import { listen } from './ports.ts'

/** A request in AWS's JSON protocol. */
export interface JsonRequest {
  /** `TrentService.Decrypt` */
  readonly target: string | undefined
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
export const startJsonServer = async (answerTo: (request: JsonRequest) => JsonAnswer): Promise<Engine> => {
  const server = createServer(
    guarded(async (incoming, response) => {
      const read = v.safeParse(Json, await text(incoming))
      const target = v.parse(Target, incoming.headers['x-amz-target'])
      const answer = answerTo({ target, body: read.success ? read.output : undefined })
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer.body))
    }),
  )
  const port = await listen(server, 0)
  return { url: `http://${LOOPBACK}:${port}`, stop: () => closeServer(server) }
}
