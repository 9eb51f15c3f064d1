import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { LOOPBACK } from '../engines/engine.ts'
import { closeServer } from '../engines/http-server.ts'
import { listen } from '../processes/ports.ts'
import { type BusEntry, parseEntry, putEventsRequest, sizeOf } from './bus-entry.ts'

type Route = (entry: BusEntry) => Promise<void>

export interface EventBridge {
  readonly url: string
  close(): Promise<void>
  /** Sets where accepted entries go. The route's promise resolves when every target has the event; a rejection fails the entry. */
  connect(route: Route): void
}

const MAX_REQUEST_BYTES = 256 * 1024

class Refusal extends Error {
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

const parseRequest = async (request: IncomingMessage): Promise<v.InferOutput<typeof putEventsRequest>> => {
  if (request.headers['x-amz-target'] !== 'AWSEvents.PutEvents')
    throw new Refusal('UnknownOperationException', 'Only PutEvents is served here.')
  const body = await text(request)
  try {
    return v.parse(putEventsRequest, JSON.parse(body))
  } catch {
    throw new Refusal('ValidationException', 'The request is not a PutEvents request with 1 to 10 entries.')
  }
}

const putOne = async (entry: unknown, route: Route): Promise<Record<string, string>> => {
  const parsed = parseEntry(entry, randomUUID())
  if ('ErrorCode' in parsed) return parsed
  try {
    await route(parsed)
    return { EventId: parsed.id }
  } catch (error) {
    return { ErrorCode: 'InternalFailure', ErrorMessage: String(error) }
  }
}

const putEvents = async (request: IncomingMessage, route: Route): Promise<unknown> => {
  const { Entries } = await parseRequest(request)
  if (Entries.reduce<number>((total, entry) => total + sizeOf(entry), 0) > MAX_REQUEST_BYTES) {
    throw new Refusal('ValidationException', 'Total size of the entries in the request is over the limit.')
  }
  const answers = await Promise.all(Entries.map((entry) => putOne(entry, route)))
  return { FailedEntryCount: answers.filter((answer) => 'ErrorCode' in answer).length, Entries: answers }
}

/** Serves EventBridge's `PutEvents` on a free port of 127.0.0.1. Before `connect`, every entry fails, so its sender retries. */
export const startEventBridge = async (): Promise<EventBridge> => {
  let route: Route = () => Promise.reject(new Error('no rules are connected yet'))

  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() })
        .end(JSON.stringify(body))
    }
    putEvents(request, (entry) => route(entry)).then(
      (body) => answer(200, body),
      (error: unknown) => {
        if (error instanceof Refusal) answer(400, { __type: error.type, message: error.message })
        else answer(500, { __type: 'InternalException', message: String(error) })
      },
    )
  })
  const port = await listen(server, 0)
  return {
    url: `http://${LOOPBACK}:${port}`,
    connect: (next) => {
      route = next
    },
    close: () => closeServer(server),
  }
}
