import { afterEach, describe, expect, it } from '@jest/globals'
import { readReport } from '#lib/console/uploads/report-rows.ts'
import { failureOf } from '#test/support/pretend-service.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'

let bucket: Receiver | undefined
afterEach(() => bucket?.close())

const read = async (body: string) => {
  bucket = await startReceiver({ respond: () => ({ body }) })
  const { data } = await readReport(bucket.url, new AbortController().signal)
  return { lines: data.rows.map(({ line }) => line), isCut: data.isCut }
}

const rejected = (count: number): string => Array.from({ length: count }, (_, at) => `${at + 2},Phone,12,"Not valid, at all."\n`).join('')

describe('the report of an upload in the console', () => {
  it.each([
    [0, 0, false],
    [100, 100, false],
    [101, 100, true],
  ])('of %d rejected rows, the report shows %d, and says whether there are more', async (count, shown, isCut) => {
    const { lines, isCut: said } = await read(`line,column,value,message\n${rejected(count)}`)
    expect([lines.length, said]).toEqual([shown, isCut])
  })

  it('the report of a check says that it shows the first rejected rows when it is too long to be read to its end', async () => {
    const good = `9,,,${'good '.repeat(200)},created\n`.repeat(2000)
    expect(await read(`line,column,value,message,result\n2,Phone,12,Not valid.,rejected\n${good}`)).toEqual({ lines: ['2'], isCut: true })
  })

  it('a report is not asked for again and again when its bucket cannot be reached', async () => {
    bucket = await startReceiver({})
    await bucket.close()
    const failure = await failureOf(readReport(bucket.url, new AbortController().signal))
    expect(failure).toMatchObject({
      name: 'ApiError',
      status: 0,
      detail: 'The report cannot be read. Reload the page. The service keeps a report for 90 days.',
    })
    bucket = undefined
  })
})
