import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { fakeUploads, shownUpload, UPLOAD_ID, UPLOADED } from '#test/support/fake-uploads.ts'

const { fake, run } = fakeUploads()

describe('a dry run', () => {
  const REPORT = [
    'line,result,lead,column,value,message',
    '2,created,,,,',
    '3,updated,17,,,',
    '4,rejected,,Phone,"1\n2",The phone number entered is not valid.',
    '5,rejected,,,"a,b","Expected 6 cells, as in the header, but got 2."',
    '',
  ].join('\r\n')
  const done = () => ({
    status: 'done',
    dry_run: true,
    rows: 4,
    created: 1,
    updated: 1,
    rejected: 2,
    report_url: `${fake.url}/report`,
    finished_time: UPLOADED,
  })

  beforeEach(() => {
    fake.creation = [200, { signed_url: `${fake.url}/bucket/key?signed`, upload_id: UPLOAD_ID, dry_run: true }]
    fake.states = [
      [200, shownUpload(done())],
      [200, REPORT],
    ]
  })

  it('the uploader asks for a dry run, and prints what would happen to each row', async () => {
    const { code, terminal, printed } = await run({ dryRun: true })
    expect({ code, body: fake.received[0]?.body }).toEqual({ code: 0, body: '{"source":"demo","filename":"leads.csv","dry_run":true}' })
    expect(terminal).toContain(`This is upload ${UPLOAD_ID}, a dry run.\n`)
    expect(printed).toBe(`
leads.csv to demo: dry run done in 0.0 s, no lead was written (upload ${UPLOAD_ID})

  created   1
  updated   1
  unchanged 0
  rejected  2
  rows      4

  line 2: created
  line 3: updated, lead 17
  line 4: rejected, Phone "1 2": The phone number entered is not valid.
  line 5: rejected, Expected 6 cells, as in the header, but got 2.

All rows, with line, result, lead, column, value and message (the link is valid for one hour):

  ${fake.url}/report
`)
  })

  it('the uploader prints when the leads of a dry run could be called, and which gates refuse the others', async () => {
    const by_hour = Array.from({ length: 30 }, (_, index) => ({
      hour: new Date(Date.parse(UPLOADED) + index * 3_600_000).toISOString().replace('Z', '000+00:00'),
      leads: 1,
    }))
    const skipped = [
      { gate: 'dnc', leads: 1 },
      { gate: 'of_a_newer_service', leads: 2 },
    ]
    fake.states = [
      [200, shownUpload({ ...done(), preview: { callable_now: 1200, by_hour, later: 5, skipped } })],
      [200, REPORT],
    ]
    const { printed } = await run({ dryRun: true })
    expect(printed).toContain(`
When the leads could be called if the file were sent now, by the hour in UTC.
A gate that is named after "not" refuses its leads until somebody changes something.

  now                     1,200
  2026-11-20 16:00            1
  2026-11-20 17:00            1
`)
    expect(printed).toContain(`
  2026-11-21 15:00            1
  later                      11
  not: dnc                    1
  not: of_a_newer_service     2
`)
  })

  it('the uploader saves the report of a dry run to a new file only', async () => {
    const report = join(fake.directory, 'report.csv')
    expect((await run({ dryRun: true, report })).printed).toContain(`and message: ${report}\n`)
    expect(await readFile(report, 'utf8')).toBe(REPORT)
    fake.received = []
    expect(await run({ dryRun: true, report })).toMatchObject({ code: 1, terminal: expect.stringMatching(/exists already/) })
    expect(fake.received).toEqual([])
  })

  it('the uploader prints the rejected rows first for a dry run of many rows', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `${index + 2},${index < 990 ? 'created,,,,' : 'rejected,,A,b,c'}`)
    fake.states = [
      [200, shownUpload(done())],
      [200, ['line,result,lead,column,value,message', ...rows, ''].join('\r\n')],
    ]
    const lines = (await run({ dryRun: true })).printed.split('\n').filter((line) => /^ {2}(line|…)/.test(line))
    expect(lines).toHaveLength(21)
    expect(lines[0]).toBe('  line 992: rejected, A "b": c')
    expect(lines.at(-1)).toBe('  … and 980 more. --report FILE saves all of them.')
  })

  it('the uploader sends no file to a service that knows no dry runs', async () => {
    fake.creation = [200, { signed_url: `${fake.url}/bucket/key?signed`, upload_id: UPLOAD_ID }]
    expect(await run({ dryRun: true })).toMatchObject({
      code: 1,
      terminal: expect.stringMatching(/too old for dry runs. Nothing was sent\.\n$/),
    })
    expect(fake.received).toHaveLength(1)
  })
})

describe('an upload that is stopped', () => {
  it('an upload that is stopped tells at each stage what goes on without it', async () => {
    await run()
    expect(fake.stops[0]).toBe('Nothing was sent.')
    expect(fake.stops[1]).toBe('The file was not sent to its end, so nothing is processed. Send it again.')
    expect(fake.stops[2]).toBe(`The service goes on. To follow it again:\n  npm run upload -- --follow ${UPLOAD_ID} --url ${fake.url}`)
  })
})

describe('an upload with a changed name or address', () => {
  it('an upload with a changed name or address says so', async () => {
    fake.file = join(fake.directory, 'Überblick.csv')
    await writeFile(fake.file, 'Phone\n')
    const { terminal } = await run({ correction: 'The address was corrected.' })
    expect(terminal).toMatch(/^The address was corrected\.\nThe service knows the file as "Uberblick\.csv": names have only/)
  })
})

describe('the report of an upload', () => {
  it('the uploader saves a report of the rejected rows, if there are any', async () => {
    const report = join(fake.directory, 'report.csv')
    expect(await run({ report })).toMatchObject({
      code: 0,
      terminal: expect.stringMatching(/There is nothing to save to .*report\.csv\.\n$/),
    })
    fake.states = [
      [200, shownUpload({ status: 'done', rejected: 1, rows: 1, rejected_url: `${fake.url}/r`, finished_time: UPLOADED })],
      [200, 'line,column,value,message\r\n'],
    ]
    expect((await run({ report })).printed).toContain(`The rejected rows, with line, column, value and message: ${report}\n`)
    expect(await readFile(report, 'utf8')).toBe('line,column,value,message\r\n')
  })
})
