import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { helped } from '#test/support/helped.ts'
import { type Service, startService, until } from '#test/support/service.ts'

/** `ROWS=200000` runs the long form. */
const ROWS = Number(process.env['ROWS'] ?? 1000)

let service: Service
beforeAll(async () => {
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(() => service?.end())

const HEADER = 'Lead ID,First Name,Last Name,Phone,Email,State,Zip,Source'
/** Rows of leads that are not called during the tests: it is early morning there. One row in a hundred is bad. */
const rows = (prefix: string): string[] =>
  Array.from({ length: ROWS }, (_, index) => {
    const phone = index % 100 === 50 ? '12' : `+1${[808, 212, 415, 312][index % 4]}${2_000_000 + index}`
    return `${prefix}-${index},"Ann\nMarie",B${index},${phone},${prefix}.${index}@example.com,HI,,=web`
  })

const upload = async (lines: readonly string[], filename = 'leads of today.csv') => {
  const { body } = await service.call('POST', '/api/ingestion/upload/', { source: service.uploadSource, filename })
  const { signed_url, upload_id } = body as unknown as { signed_url: string; upload_id: string }
  const sent = await fetch(signed_url, { method: 'PUT', body: [HEADER, ...lines, ''].join('\n') })
  expect(sent.status).toBe(200)
  return upload_id
}

const show = async (id: string) => (await service.call('GET', `/api/ingestion/uploads/${id}/`)).body
const finished = (id: string) =>
  until(
    () => show(id),
    ({ status }) => status === 'done' || status === 'failed',
  )

describe('a file uploaded to its signed URL', () => {
  const bad = ROWS / 100

  it(
    'a file uploaded to its signed URL is read, and its rejected rows can be downloaded',
    async () => {
      const result = await finished(await upload(rows('first')))
      expect(result).toMatchObject({
        status: 'done',
        rows: ROWS,
        created: ROWS - bad,
        updated: 0,
        unchanged: 0,
        rejected: bad,
        error: null,
      })
      const rejected = await (await fetch(`${result['rejected_url']}`)).text()
      const lines = rejected.split('\r\n')
      expect(lines).toHaveLength(bad + 2)
      expect(lines.slice(0, 2)).toEqual(['line,column,value,message', helped('102,Phone,12,"The phone number entered is not valid. …"')])
      const again = await finished(await upload(rows('first')))
      expect(again).toMatchObject({ status: 'done', rows: ROWS, created: 0, updated: 0, unchanged: ROWS - bad, rejected: bad })
      expect((await service.dials()).calls).toEqual([])
    },
    ROWS * 200 + 900_000,
  )

  it(
    'an uploaded file is read to its end even when the functions are killed meanwhile',
    async () => {
      const id = await upload(rows('killed'))
      await until(
        () => show(id),
        ({ rows: read }) => Number(read) >= 250,
      )
      process.kill(service.functionsPid, 'SIGKILL')
      expect(await finished(id)).toMatchObject({ status: 'done', rows: ROWS, created: ROWS - bad, unchanged: 0, rejected: bad })
    },
    ROWS * 200 + 900_000,
  )
})
