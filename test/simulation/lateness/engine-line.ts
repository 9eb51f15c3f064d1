import { once } from 'node:events'
import { connect } from 'node:net'
import { HttpResponse } from '@smithy/core/protocols'
import type { client as tableClient } from '#shared/platform/table/client.ts'

/** Headers that the engine needs. It checks that a request is signed, but not how. */
const SIGNATURE =
  'AWS4-HMAC-SHA256 Credential=simulated/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=simulated'
const SIGNED = `authorization: ${SIGNATURE}\r\nx-amz-date: 20261120T000000Z\r\n`
/**
 * Steps of the SDK that change nothing on this connection, and take a third of the time of a request. After a failed condition, the step of
 * retries would also draw a random number when the answer arrives, which is at any time.
 */
const UNUSED = [
  'loggerMiddleware',
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
  'retryMiddleware',
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
]
/**
 * The engine compares the token of each transaction with those of the last ten minutes, so it gets slower and slower. Only a request that is
 * sent again needs one.
 */
const TOKEN = /,"ClientRequestToken":"[^"]*"/
/** Ignored between two requests. */
const EMPTY_LINE = '\r\n'
const HEAD_END = '\r\n\r\n'

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface Answer {
  readonly response: HttpResponse | undefined
}

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** The answers that a connection has received as a whole, in order. */
const answersIn = () => {
  let rest: Buffer = Buffer.alloc(0)
  return function* (chunk: Buffer): Generator<HttpResponse> {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(HEAD_END)
      if (end < 0) return
      const head = rest.toString('latin1', 0, end)
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? []
      const [, length] = /content-length: (\d+)/i.exec(head) ?? []
      if (length === undefined) throw new Error(`The engine gave no length of its answer: ${head}`)
      const [begin, next] = [end + HEAD_END.length, end + HEAD_END.length + Number(length)]
      if (rest.length < next) return
      const headers = { 'content-type': 'application/x-amz-json-1.0' }
      yield new HttpResponse({ statusCode: Number(status), headers, body: rest.subarray(begin, next) })
      rest = rest.subarray(next)
    }
  }
}

export interface EngineLine {
  /** Sends the requests of a client over this connection. */
  carry(client: typeof tableClient): void
  close(): void
}

/**
 * One connection to the engine for all requests of a simulation. Later requests do not wait for the answers of earlier ones, and still the
 * engine handles all of them in the order in which they are sent.
 */
export const openEngineLine = async (url: string): Promise<EngineLine> => {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.setNoDelay()
  const waiting: Waiting[] = []
  const read = answersIn()
  let failure: Error | undefined
  const fail = (reason?: Error): void => {
    failure ??= reason ?? new Error('The engine closed the connection.')
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  const answersOf = (chunk: Buffer): HttpResponse[] => {
    try {
      return [...read(chunk)]
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(`${error}`))
      return []
    }
  }
  socket.on('data', (chunk) => {
    const answers = answersOf(chunk)
    for (const [place, { resolve }] of waiting.splice(0, answers.length).entries()) resolve({ response: answers[place] })
    // The engine holds a further answer back until we confirm this one, which we do at once only together with data.
    if (waiting.length > 0) socket.write(EMPTY_LINE)
  })
  socket.once('error', fail).once('close', () => fail())

  const handle = ({ headers, body }: Sent) =>
    new Promise<Answer>((resolve, reject) => {
      if (failure) return reject(failure)
      waiting.push({ resolve, reject })
      const target = `x-amz-target: ${headers['x-amz-target']}\r\ncontent-type: ${headers['content-type']}\r\n`
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
      const sent = Buffer.from(text.replace(TOKEN, ''))
      socket.cork()
      socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\n${SIGNED}${target}content-length: ${sent.length}${HEAD_END}`)
      socket.write(sent)
      socket.uncork()
    })
  return {
    carry: (client) => {
      Object.assign(client.config, { requestHandler: { handle, destroy: () => {} } })
      for (const name of UNUSED) client.middlewareStack.remove(name)
    },
    close: () => void socket.destroy(),
  }
}
