import { afterEach, describe, expect, it } from '@jest/globals'
import { handler as retrieve } from '#functions/ingestion/retrieve-upload.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsRows, csv, ingested, reportLines, sent, uploadNow, work } from '#test/support/uploads.ts'
import { request } from '#test/support/world.ts'

const { world, watch } = uploadWorld({}, { name: 'by-phone', lookup_column: 'Phone' })
afterEach(async () => {
  setClock(NOON)
  await world().queues.take('CALL_QUEUE_URL')
  await world().queues.take('INGESTION_QUEUE_URL')
})

const answered = async ({ upload_id }: { upload_id: string }) =>
  (await request(retrieve, { method: 'GET', path: `/api/ingestion/uploads/${upload_id}/`, parameters: { upload_id } })).body

const changes = (line: number): string =>
  `"This row changes the lead that the row at line ${line} wrote. Where both rows have a value, the later one counts."`

/** 300 rows, which are two batches. The last row changes the lead of the first. */
const twoBatches = (name: string): string[] => {
  const rows = Array.from({ length: 299 }, (_, index) => `${name}-${index},Ann,${newPhone()},,NY,`)
  return [...rows, `${rows[0]?.replace('Ann', 'Eve')}`]
}

describe('a file with several rows of one lead', () => {
  it('a dry run names the earlier row beside each row that would change its lead', async () => {
    const [phone, known] = [newPhone(), await created({ external_id: 'known', us_state: 'NY' })]
    const rows = [
      `e-1,Ann,${phone},,NY,`,
      `known,Bob,${known.phone_number},,NY,`,
      `e-1,Ann,${phone},,NY,`,
      `e-1,Eve,${phone},,NY,`,
      `known,Cy,${known.phone_number},,NY,`,
      `e-1,Fay,${phone},,NY,`,
      `e-2,Gus,${newPhone()},,NY,`,
    ]
    const upload = await ingested(csv(rows), { dry_run: true })
    expect((await reportLines(upload)).slice(1)).toEqual([
      '2,created,,,,',
      `3,updated,${known.id},,,`,
      '4,unchanged,,,,',
      `5,updated,,,,${changes(2)}`,
      `6,updated,${known.id},,,${changes(3)}`,
      `7,updated,,,,${changes(5)}`,
      '8,created,,,,',
    ])
    expect(await answered(upload)).toMatchObject({ warnings: { earlier_row: 3 }, warning_lines: { earlier_row: [5, 6, 7] } })
  })

  it('an upload counts and names the rows that changed the lead of an earlier row', async () => {
    const [one, other] = [newPhone(), newPhone()]
    const rows = [`,Ann,${one},,NY,`, `,Bo,${other},,NY,`, `,Ann,${one},,NY,`, `,Eve,${one},,NY,`]
    const upload = await ingested(csv(rows), { source: 'by-phone' })
    expect(await answered(upload)).toMatchObject({
      ...{ created: 2, updated: 1, unchanged: 1 },
      ...{ warnings: { earlier_row: 1 }, warning_lines: { earlier_row: [5] } },
    })
    // Another file is no earlier row.
    expect(await answered(await ingested(csv([`,Fay,${one},,NY,`]), { source: 'by-phone' }))).not.toHaveProperty('warnings')
  })

  it('a dry run and an upload find an earlier row of another batch', async () => {
    const rows = twoBatches('b')
    const dryRun = await ingested(csv(rows), { dry_run: true })
    expect((await reportLines(dryRun)).at(-1)).toBe(`301,updated,,,,${changes(2)}`)
    expect(await answered(await ingested(csv(rows)))).toMatchObject({ warnings: { earlier_row: 1 }, warning_lines: { earlier_row: [301] } })
  })

  it('an upload whose run dies before its rows are counted names the earlier rows that a run in peace names', async () => {
    const { upload_id, message } = await sent(csv(twoBatches('c')))
    let batches = 0
    const countsSecond = (command: Parameters<typeof countsRows>[0]): boolean => countsRows(command) && ++batches === 2
    expect(await watch().killed(countsSecond, () => work([message]))).toBe(true)
    setClock(now() + 2 * MINUTE)
    await dispatchDue()
    await world().queues.take('CALL_QUEUE_URL')
    await work((await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text)))
    expect(await uploadNow(upload_id)).toMatchObject({
      ...{ status: 'done', created: 299, updated: 1 },
      ...{ warned_earlier_row: 1, warned_lines: { earlier_row: [301] } },
    })
  })
})
