import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { type FakeReply, fakeUploads, shownUpload, UPLOAD_ID, UPLOADED } from '#test/support/fake-uploads.ts'

const { fake, run } = fakeUploads()

describe('an upload', () => {
  it('the uploader requests a URL, puts the file there, follows the upload and prints the result', async () => {
    fake.states = [
      [200, shownUpload({})],
      [200, shownUpload({ status: 'processing', rows: 1200, created: 1100, rejected: 100, rate: 600.4 })],
      [
        200,
        shownUpload({
          ...{ status: 'done', rows: 12_345, created: 12_000, updated: 45, reengaged: 3, unchanged: 100, rejected: 200 },
          ...{ finished_time: '2026-11-20T16:00:20.500000+00:00', rejected_url: 'https://bucket/rejected.csv' },
        }),
      ],
    ]
    const { code, terminal, printed } = await run()
    expect(code).toBe(0)
    expect(fake.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/ingestion/upload/',
      'PUT /bucket/key?signed',
      ...Array.from({ length: 3 }, () => `GET /api/ingestion/uploads/${UPLOAD_ID}/`),
    ])
    expect(fake.received[0]).toMatchObject({ headers: { authorization: 'Token key' }, body: '{"source":"demo","filename":"leads.csv"}' })
    expect(fake.received[1]).toMatchObject({ headers: { 'content-length': '19' }, body: 'Phone\n+12125550001\n' })
    expect(fake.received[1]?.headers).not.toHaveProperty('transfer-encoding')
    expect(fake.received[1]?.headers).not.toHaveProperty('authorization')
    expect(terminal).toMatch(new RegExp(`^This is upload ${UPLOAD_ID}\\.\nSending \\[#{24}\\] 100 % of 19 B`))
    expect(terminal).toContain('Processed: 12,345 rows, 200 rejected\n')
    expect(printed).toBe(`
leads.csv to demo: done in 20.5 s (upload ${UPLOAD_ID})

  created   12,000
  updated       45  (3 of them reengaged)
  unchanged    100
  rejected     200
  rows      12,345

The rejected rows, with line, column, value and message (the link is valid for one hour):

  https://bucket/rejected.csv
`)
  })

  it('the uploader updates one line on a terminal', async () => {
    fake.states.unshift([200, shownUpload({ status: 'processing', rows: 1200, rate: 600.4 })])
    const { terminal } = await run({ isTTY: true })
    expect(terminal).toContain('\r\x1b[KProcessing: 1,200 rows, 600 a second, 0 rejected\r\x1b[K')
  })

  it('the uploader prints one line of JSON and nothing else with --json', async () => {
    const { code, terminal, printed } = await run({ json: true })
    expect({ code, terminal }).toEqual({ code: 0, terminal: '' })
    expect(JSON.parse(printed)).toMatchObject({ upload_id: UPLOAD_ID, status: 'done', rows: 0 })
    expect(printed.endsWith('}\n')).toBe(true)
  })

  it('the uploader sends an empty file too, and prints the error of the service', async () => {
    await truncate(fake.file)
    fake.states = [[200, shownUpload({ status: 'failed', error: 'The file is empty.', finished_time: UPLOADED })]]
    const { code, printed } = await run()
    expect(fake.received[1]).toMatchObject({ method: 'PUT', headers: { 'content-length': '0' }, body: '' })
    expect(code).toBe(1)
    expect(printed).toBe(`\nleads.csv to demo: failed (upload ${UPLOAD_ID})\n\nThe file is empty.\n`)
  })

  it('the uploader says so when the file has a header and no rows', async () => {
    const { code, printed } = await run()
    expect(code).toBe(0)
    expect(printed).toContain('\nThe file has a header, but no rows.\n')
  })

  it('the uploader prints the row counts when the upload fails midway', async () => {
    fake.states = [
      [200, shownUpload({ status: 'failed', error: 'The file is gone.', rows: 7, created: 5, rejected: 2, finished_time: UPLOADED })],
    ]
    const { code, printed } = await run()
    expect(code).toBe(1)
    expect(printed).toContain('The file is gone.')
    expect(printed).toMatch(/created +5/)
    expect(printed).toContain('There is no list of the rejected rows.')
    fake.states = [[200, shownUpload({ status: 'done', dry_run: true, rows: 7, created: 7, finished_time: UPLOADED })]]
    expect((await run()).printed).toContain('There is no report of the dry run.')
  })

  it('the uploader polls again after an error, and waits as long as Retry-After says', async () => {
    fake.states.unshift([503, {}], [429, { detail: 'Request was throttled.' }, { 'Retry-After': '7' }], [200, shownUpload({})])
    const { code, pauses } = await run()
    expect(code).toBe(0)
    expect(pauses.slice(0, 2)).toEqual([2000, 7000])
  })

  it('the uploader gives up after 30 failed polls', async () => {
    fake.states = [[500, 'oops']]
    const { code, terminal, pauses } = await run()
    expect(code).toBe(1)
    expect(pauses).toHaveLength(30)
    expect(terminal).toMatch(/The service answers 500: oops\n$/)
  })
})

describe('an upload already sent', () => {
  it('the uploader follows an earlier upload to its end with --follow, and sends nothing', async () => {
    fake.states.unshift([200, shownUpload({})], [200, shownUpload({ status: 'processing', rows: 1200, rate: 600.4 })])
    const { code, terminal, printed } = await run({ follow: UPLOAD_ID, isTTY: true })
    expect(code).toBe(0)
    expect(fake.received.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill(`GET /api/ingestion/uploads/${UPLOAD_ID}/`))
    expect(terminal).toMatch(/The file has not arrived yet.*Processing: 1,200 rows/s)
    expect(printed).toMatch(/^\nleads\.csv to demo: done in 2\.5 s/)
  })

  it('the uploader prints the command that follows the upload when it sends the file', async () => {
    expect((await run()).terminal).toContain(`\n  npm run upload -- --follow ${UPLOAD_ID} --url ${fake.url}\n`)
  })

  it.each(['', UPLOAD_ID])('the uploader names an upload that it cannot follow by its id in the JSON error: %j', async (follow) => {
    fake.states = [[404, { detail: 'Not found.' }]]
    const told = `The service answers 404: Not found. Check the address ${fake.url}, and the id if you gave one.`
    const { code, terminal, printed } = await run({ follow, json: true })
    expect({ code, terminal }).toEqual({ code: 1, terminal: expect.stringContaining(told) })
    expect(JSON.parse(printed)).toEqual({ error: told, upload_id: UPLOAD_ID })
  })
})

describe('an upload without a source', () => {
  it.each<[string, FakeReply, string]>([
    ['lists the sources', [400, { source: ['This field is required. Your sources: crm and demo.'] }], 'Your sources: crm and demo.'],
    ['says who knows the sources', [400, { source: ['This field is required.'] }], 'The operator of the service knows its name.'],
    [
      'says why it cannot list the sources',
      [401, { detail: 'Invalid token.' }],
      'The service answers 401: Invalid token. The key comes from LEAD_OUTREACH_API_KEY or --key.',
    ],
  ])('an upload without a source %s, and sends nothing', async (_, reply, told) => {
    fake.creation = reply
    const { code, terminal } = await run({ source: '' })
    expect({ code, terminal }).toEqual({ code: 2, terminal: `Name the source of the file with --source. ${told}\n` })
    expect(fake.received.map(({ body }) => body)).toEqual(['{"filename":"leads.csv"}'])
  })
})

describe('a file that is not CSV', () => {
  const ZIP = [0x50, 0x4b, 0x03, 0x04, 0, 0]

  it.each([
    ['leads.csv', ZIP, 'The file is a ZIP archive, as Excel workbooks (.xlsx) are, and not CSV'],
    ['leads.xlsx', ZIP, 'The file is a ZIP archive, as Excel workbooks (.xlsx) are, and not CSV'],
    ['leads.pdf', [0x61], 'Files ending in .pdf are not read'],
  ])('the uploader does not send a file that is not CSV: %s with the bytes %j', async (name, bytes, told) => {
    fake.file = join(fake.directory, name)
    await writeFile(fake.file, Uint8Array.from(bytes))
    const { code, terminal, printed } = await run()
    expect({ code, printed, received: fake.received }).toEqual({ code: 1, printed: '', received: [] })
    expect(terminal).toMatch(/ Nothing was sent\.\n$/)
    expect(terminal).toContain(told)
  })
})

describe('a failed upload', () => {
  it.each<[string, FakeReply, RegExp]>([
    ['an unknown source', [400, { source: ['Object with name=demo does not exist.'] }], /answers 400: source: Object with name=demo/],
    [
      'a wrong key',
      [401, { detail: 'Invalid token.' }],
      /answers 401: Invalid token\. The key comes from LEAD_OUTREACH_API_KEY or --key\./,
    ],
    ['another service', [200, { hello: 1 }], /not the lead outreach service/],
    ['no JSON', [200, '<html>'], /not the lead outreach service/],
  ])('the uploader prints why an upload failed: %s', async (_name, reply, told) => {
    fake.creation = reply
    const { code, terminal, printed } = await run()
    expect({ code, printed, sent: fake.received.length }).toEqual({ code: 1, printed: '', sent: 1 })
    expect(terminal).toMatch(told)
    expect(JSON.parse((await run({ json: true })).printed)).toEqual({ error: expect.stringMatching(told) })
  })

  it('the uploader prints the reason when the bucket refuses the file', async () => {
    fake.put = [403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>']
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/refused the file \(403\): Request has expired\.\n$/) })
  })

  it('the uploader prints the reason when the connection breaks during the file', async () => {
    fake.put = [0, '']
    await truncate(fake.file, 5_000_000)
    expect(await run()).toMatchObject({
      code: 1,
      terminal: expect.stringMatching(/could not be sent to 127\.0\.0\.1:\d+: .*(EPIPE|ECONNRESET|hang up)/),
    })
  })

  it('the uploader prints the reason when the service is down', async () => {
    fake.server.close()
    fake.server.closeAllConnections()
    expect(await run()).toMatchObject({
      code: 1,
      terminal: expect.stringMatching(
        /at http:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED.*Nothing listens there: start the service with `npm start`/,
      ),
    })
    fake.server.listen(0)
  })

  it('the uploader prints a sentence and the address with http:// when the server does not speak TLS', async () => {
    const { host } = new URL(fake.url)
    const told = `The service at https://${host} does not answer: no TLS connection (wrong version number). The server does not speak TLS there: is it http://${host}?\n`
    expect(await run({ url: `https://${host}` })).toMatchObject({ code: 1, terminal: told })
  })

  it('the uploader prints a sentence when the bucket does not speak TLS', async () => {
    const { host } = new URL(fake.url)
    fake.creation = [200, { signed_url: `https://${host}/bucket/key`, upload_id: UPLOAD_ID }]
    const told = `The file could not be sent to ${host}: no TLS connection (wrong version number). Send it again.`
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringContaining(told) })
  })

  it('the uploader prints the reason when the file is missing or a directory', async () => {
    fake.file = join(fake.directory, 'none.csv')
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/none\.csv cannot be read: ENOENT/) })
    fake.file = fake.directory
    expect(await run()).toMatchObject({ code: 1, terminal: expect.stringMatching(/is not a file/) })
  })
})
