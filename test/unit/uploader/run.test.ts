import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { runUploader } from '#lib/uploader/run.ts'

const ID = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'
const CREATED = '2026-11-20T16:00:00.000000+00:00'

const shown = (changes: Readonly<Record<string, unknown>>) => ({
  ...{ upload_id: ID, source: 'demo', filename: 'leads.csv', status: 'waiting', rows: 0 },
  ...{ created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0, error: null, rejected_url: null },
  ...{ created_time: CREATED, finished_time: null, rate: null, told_by_a_newer_service: 1 },
  ...changes,
})

type Reply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

let directory: string
let file: string
let server: Server
let url: string
/** The service's answers. Polls get the `states` in order; the last one repeats. */
let creation: Reply
let put: Reply
let states: Reply[]
let received: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]

const replyTo = (method: string | undefined): Reply => {
  if (method === 'POST') return creation
  if (method === 'PUT') return put
  return (states.length > 1 ? states.shift() : states[0])!
}

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  if (request.method === 'PUT' && put[0] === 0) return void request.socket.destroy()
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const { method, url: path, headers } = request
  received.push({ method: method!, path: path!, headers, body: Buffer.concat(parts).toString() })
  const [status, body, more] = replyTo(method)
  response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body))
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'uploader-'))
  file = join(directory, 'leads.csv')
  await writeFile(file, 'Phone\n+12125550001\n')
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  creation = [200, { signed_url: `${url}/bucket/key?signed`, upload_id: ID }]
  put = [200, '']
  states = [[200, shown({ status: 'done', finished_time: '2026-11-20T16:00:02.500000+00:00' })]]
  received = []
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(directory, { recursive: true })
})

const run = async ({ json = false, isTTY = false, follow = '' } = {}) => {
  const terminal: string[] = []
  const printed: string[] = []
  let seconds = 0
  const pauses: number[] = []
  const code = await runUploader(
    { ...(follow ? { follow } : { file, source: 'demo' }), url, key: 'key', json },
    {
      terminal: { isTTY, write: (text) => void terminal.push(text) },
      print: (text) => void printed.push(text),
      // One second passes between two readings.
      clock: () => 1000 * seconds++,
      pause: async (milliseconds) => void pauses.push(milliseconds),
    },
  )
  return { code, terminal: terminal.join(''), printed: printed.join(''), pauses }
}

describe('an upload', () => {
  it('requests a URL, puts the file there, follows the upload and prints the result', async () => {
    states = [
      [200, shown({})],
      [200, shown({ status: 'processing', rows: 1200, created: 1100, rejected: 100, rate: 600.4 })],
      [
        200,
        shown({
          ...{ status: 'done', rows: 12_345, created: 12_000, updated: 45, reengaged: 3, unchanged: 100, rejected: 200 },
          ...{ finished_time: '2026-11-20T16:00:20.500000+00:00', rejected_url: 'https://bucket/rejected.csv' },
        }),
      ],
    ]
    const { code, terminal, printed } = await run()
    expect(code).toBe(0)
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/ingestion/upload/',
      'PUT /bucket/key?signed',
      ...Array.from({ length: 3 }, () => `GET /api/ingestion/uploads/${ID}/`),
    ])
    expect(received[0]).toMatchObject({ headers: { authorization: 'Token key' }, body: '{"source":"demo","filename":"leads.csv"}' })
    expect(received[1]).toMatchObject({ headers: { 'content-length': '19' }, body: 'Phone\n+12125550001\n' })
    expect(received[1]?.headers).not.toHaveProperty('transfer-encoding')
    expect(received[1]?.headers).not.toHaveProperty('authorization')
    expect(terminal).toMatch(/^Sending \[#{24}\] 100 % of 19 B/)
    expect(terminal).toContain(ID)
    expect(terminal).toContain('Processed: 12,345 rows, 200 rejected\n')
    expect(printed).toBe(`
leads.csv to demo: done in 20.5 s (upload ${ID})

  created   12,000
  updated       45  (3 of them reengaged)
  unchanged    100
  rejected     200
  rows      12,345

The rejected rows, with line, column, value and message (the link is valid for one hour):

  https://bucket/rejected.csv
`)
  })

  it('updates one line on a terminal', async () => {
    states.unshift([200, shown({ status: 'processing', rows: 1200, rate: 600.4 })])
    const { terminal } = await run({ isTTY: true })
    expect(terminal).toContain('\r\x1b[KProcessing: 1,200 rows, 600 a second, 0 rejected\r\x1b[K')
  })

  it('prints one line of JSON and nothing else with --json', async () => {
    const { code, terminal, printed } = await run({ json: true })
    expect({ code, terminal }).toEqual({ code: 0, terminal: '' })
    expect(JSON.parse(printed)).toMatchObject({ upload_id: ID, status: 'done', rows: 0 })
    expect(printed.endsWith('}\n')).toBe(true)
  })

  it('sends an empty file too, and prints the error of the service', async () => {
    await truncate(file)
    states = [[200, shown({ status: 'failed', error: 'The file is empty.', finished_time: CREATED })]]
    const { code, printed } = await run()
    expect(received[1]).toMatchObject({ method: 'PUT', headers: { 'content-length': '0' }, body: '' })
    expect(code).toBe(1)
    expect(printed).toBe(`\nleads.csv to demo: failed (upload ${ID})\n\nThe file is empty.\n`)
  })

  it('prints the row counts when it fails midway', async () => {
    states = [[200, shown({ status: 'failed', error: 'The file is gone.', rows: 7, created: 5, rejected: 2, finished_time: CREATED })]]
    const { code, printed } = await run()
    expect(code).toBe(1)
    expect(printed).toContain('The file is gone.')
    expect(printed).toMatch(/created +5/)
    expect(printed).toContain('There is no list of the rejected rows.')
  })

  it('polls again after an error, and waits as long as Retry-After says', async () => {
    states.unshift([503, {}], [429, { detail: 'Request was throttled.' }, { 'Retry-After': '7' }], [200, shown({})])
    const { code, pauses } = await run()
    expect(code).toBe(0)
    expect(pauses.slice(0, 2)).toEqual([2000, 7000])
  })

  it('gives up after 30 failed polls', async () => {
    states = [[500, 'oops']]
    const { code, terminal, pauses } = await run()
    expect(code).toBe(1)
    expect(pauses).toHaveLength(30)
    expect(terminal).toMatch(/The service answers 500: Internal Server Error\n$/)
  })
})

describe('an upload already sent', () => {
  it('is followed to its end with --follow, and nothing is sent', async () => {
    states.unshift([200, shown({})], [200, shown({ status: 'processing', rows: 1200, rate: 600.4 })])
    const { code, terminal, printed } = await run({ follow: ID, isTTY: true })
    expect(code).toBe(0)
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill(`GET /api/ingestion/uploads/${ID}/`))
    expect(terminal).toMatch(/The file has not arrived yet.*Processing: 1,200 rows/s)
    expect(printed).toMatch(/^\nleads\.csv to demo: done in 2\.5 s/)
  })

  it('has its follow command printed when the file is sent', async () => {
    expect((await run()).terminal).toContain(`\n  npm run upload -- --follow ${ID} --url ${url}\n`)
  })

  it.each(['', ID])('is named by its id in the JSON error when it cannot be followed: %j', async (follow) => {
    states = [[404, { detail: 'Not found.' }]]
    const { code, terminal, printed } = await run({ follow, json: true })
    expect({ code, terminal }).toEqual({ code: 1, terminal: 'The service answers 404: Not found.\n' })
    expect(printed).toBe(`{"error":"The service answers 404: Not found.","upload_id":"${ID}"}\n`)
  })
})

describe('a file that is not CSV', () => {
  const ZIP = [0x50, 0x4b, 0x03, 0x04, 0, 0]

  it.each([
    ['leads.csv', ZIP, 'The file is a ZIP archive, as Excel workbooks (.xlsx) are, and not CSV'],
    ['leads.xlsx', ZIP, 'The file is a ZIP archive, as Excel workbooks (.xlsx) are, and not CSV'],
    ['leads.pdf', [0x61], 'Files ending in .pdf are not read'],
  ])('is not sent: %s with the bytes %j', async (name, bytes, told) => {
    file = join(directory, name)
    await writeFile(file, Uint8Array.from(bytes))
    const { code, terminal, printed } = await run()
    expect({ code, printed, received }).toEqual({ code: 1, printed: '', received: [] })
    expect(terminal).toMatch(/ Nothing was sent\.\n$/)
    expect(terminal).toContain(told)
  })
})

describe('a failed upload', () => {
  it.each<[string, Reply, RegExp]>([
    ['an unknown source', [400, { source: ['Object with name=demo does not exist.'] }], /answers 400: source: Object with name=demo/],
    ['a wrong key', [401, { detail: 'Invalid token.' }], /answers 401: Invalid token\./],
    ['another service', [200, { hello: 1 }], /not the lead outreach service/],
    ['no JSON', [200, '<html>'], /not the lead outreach service/],
  ])('prints the reason: %s', async (_name, reply, told) => {
    creation = reply
    const { code, terminal, printed } = await run()
    expect({ code, printed, sent: received.length }).toEqual({ code: 1, printed: '', sent: 1 })
    expect(terminal).toMatch(told)
    expect(JSON.parse((await run({ json: true })).printed)).toEqual({ error: expect.stringMatching(told) })
  })

  it('prints the reason when the bucket refuses the file', async () => {
    put = [403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>']
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/refused the file \(403\): Request has expired\.\n$/) })
  })

  it('prints the reason when the connection breaks during the file', async () => {
    put = [0, '']
    await truncate(file, 5_000_000)
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/could not be sent: .*(EPIPE|ECONNRESET|hang up)/) })
  })

  it('prints the reason when the service is down', async () => {
    server.close()
    server.closeAllConnections()
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/does not answer: .*ECONNREFUSED/) })
    server.listen(0)
  })

  it('prints the reason when the file is missing or a directory', async () => {
    file = join(directory, 'none.csv')
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/none\.csv cannot be read: ENOENT/) })
    file = directory
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/is not a file/) })
  })
})
