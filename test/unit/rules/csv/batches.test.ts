import { describe, expect, it } from '@jest/globals'
import { inBatches } from '#shared/uploads/ingest/counted-rows.ts'
import { BATCH } from '#shared/uploads/rules/batches.ts'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { scanRecord } from '#shared/uploads/rules/csv/scan.ts'
import { dialectOf, inChunks } from '#test/support/csv.ts'

const HEADER = 'a,b\n'
const dialect = dialectOf(Buffer.from(`${HEADER}1,2\n`), ['a', 'b'])

/** The number of rows and the end of each batch. */
const batchesOf = async (body: string, from = dialect.start, chunk = 65_536) => {
  const bytes = Buffer.from(HEADER + body)
  const batches: { rows: number; next: typeof from }[] = []
  const items = rowsFrom(inChunks(bytes.subarray(from.offset), [chunk]), dialect, from)
  for await (const { rows, next } of inBatches(items, from, () => BATCH)) {
    batches.push({ rows: rows.length, next })
  }
  return batches
}

describe('batches of rows', () => {
  it('batches of rows end after 8 MB of the file, and stay the same after a resume', async () => {
    const batches = await batchesOf(`1,${'x'.repeat(990_000)}\n`.repeat(20))
    expect(batches.map(({ rows }) => rows)).toEqual([9, 9, 2])
    expect(await batchesOf(`1,${'x'.repeat(990_000)}\n`.repeat(20), batches[0]!.next)).toEqual(batches.slice(1))
  })

  it('batches of rows make progress through many empty lines', async () => {
    const batches = await batchesOf(`1,2\n${`${' '.repeat(1023)}\n`.repeat(20 * 1024)}3,4\n`)
    expect(batches.map(({ rows, next }) => [rows, next.row])).toEqual([
      [1, 2],
      [0, 2],
      [1, 3],
    ])
    expect(batches.at(-1)?.next.line).toBe(20 * 1024 + 4)
  })

  it('batches of rows can end and resume inside an oversized line, with any chunk size', async () => {
    const body = `1,2\n3,"${'z'.repeat(30_000_000)}\n4,5\n6\n`
    const batches = await batchesOf(body)
    expect(batches.map(({ rows, next }) => [rows, next.row, next.line, next.inLine ?? false])).toEqual([
      [2, 3, 3, true],
      [0, 3, 3, true],
      [0, 3, 3, true],
      [2, 5, 6, false],
    ])
    for (const [index, { next }] of batches.slice(0, -1).entries()) expect(await batchesOf(body, next)).toEqual(batches.slice(index + 1))
    expect(await batchesOf(body, dialect.start, 999_983)).toEqual(batches)
  })
})

describe('a record of very many cells', () => {
  it('a record of very many cells keeps them up to a limit and counts all of them', () => {
    const scanned = scanRecord(Buffer.from(`${','.repeat(1000)}\n`), 0, dialect, true, 2)
    expect(scanned).toMatchObject({ kind: 'record', count: 1001, textEnd: 1000, end: 1001 })
    expect('cells' in scanned && scanned.cells).toHaveLength(2)
  })
})
