import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from '@jest/globals'
import { runUploader } from '#lib/uploader/run.ts'

/** The upload command on a file, against a service whose answers the test sets. */

export const UPLOAD_ID = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'
export const UPLOADED = '2026-11-20T16:00:00.000000+00:00'

/** An upload as the service shows it. */
export const shownUpload = (changes: Readonly<Record<string, unknown>>) => ({
  ...{ upload_id: UPLOAD_ID, source: 'demo', filename: 'leads.csv', status: 'waiting', rows: 0 },
  ...{ created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0, error: null, rejected_url: null },
  ...{ created_time: UPLOADED, finished_time: null, rate: null, told_by_a_newer_service: 1 },
  ...changes,
})

export type FakeReply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Given {
  /** Empty: none. Default: demo. */
  readonly source?: string
  readonly url?: string
  readonly json?: boolean
  readonly isTTY?: boolean
  readonly follow?: string
  readonly dryRun?: boolean
  readonly report?: string
  readonly correction?: string
}

/** Starts a service before each test, with a file to send to it. */
export const fakeUploads = () => {
  const fake = {
    ...{ directory: '', file: '', url: '', server: createServer() },
    /** The service's answers. Other requests than POST and PUT get the `states` in order; the last one repeats. */
    ...{ creation: [200, ''] as FakeReply, put: [200, ''] as FakeReply, states: [] as FakeReply[] },
    received: [] as Received[],
    /** The text that a stop of the command would have printed at each request. */
    stops: [] as string[],
    stopped: () => '',
  }

  const replyTo = (method: string | undefined): FakeReply => {
    if (method === 'POST') return fake.creation
    if (method === 'PUT') return fake.put
    return (fake.states.length > 1 ? fake.states.shift() : fake.states[0])!
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'PUT' && fake.put[0] === 0) return void request.socket.destroy()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method, url: path, headers } = request
    fake.stops.push(fake.stopped())
    fake.received.push({ method: method!, path: path!, headers, body: Buffer.concat(parts).toString() })
    const [status, body, more] = replyTo(method)
    response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'uploader-'))
    const file = join(directory, 'leads.csv')
    await writeFile(file, 'Phone\n+12125550001\n')
    const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    Object.assign(fake, { directory, file, url, server, received: [], stops: [], stopped: () => '' })
    fake.creation = [200, { signed_url: `${url}/bucket/key?signed`, upload_id: UPLOAD_ID }]
    fake.put = [200, '']
    fake.states = [[200, shownUpload({ status: 'done', finished_time: '2026-11-20T16:00:02.500000+00:00' })]]
  })
  afterEach(async () => {
    fake.server.closeAllConnections()
    await new Promise((resolve) => fake.server.close(resolve))
    await rm(fake.directory, { recursive: true })
  })

  const run = async ({ json = false, isTTY = false, follow = '', source = 'demo', dryRun = false, ...more }: Given = {}) => {
    const terminal: string[] = []
    const printed: string[] = []
    let seconds = 0
    const pauses: number[] = []
    const code = await runUploader(
      { ...(follow ? { follow } : { file: fake.file, dryRun, ...(source && { source }) }), url: fake.url, key: 'key', json, ...more },
      {
        terminal: { isTTY, write: (text) => void terminal.push(text) },
        print: (text) => void printed.push(text),
        // One second passes between two readings.
        clock: () => 1000 * seconds++,
        pause: async (milliseconds) => void pauses.push(milliseconds),
        whenStopped: (sentence) => {
          fake.stopped = sentence
        },
      },
    )
    return { code, terminal: terminal.join(''), printed: printed.join(''), pauses }
  }

  return { fake, run }
}
