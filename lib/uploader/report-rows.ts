import { open } from 'node:fs/promises'
import type { CsvDialect } from '#shared/uploads/csv.ts'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { DRY_RUN_HEADER } from '#shared/uploads/rules/report-csv.ts'
import { reasonOf, UploadFailure } from './failure.ts'

/** The rows of a report. */

/** Most rows that are printed. Rejected rows go first. */
const MOST_PRINTED = 20

const DIALECT: CsvDialect = {
  ...{ delimiter: ',', newline: '\n', header: DRY_RUN_HEADER.trim().split(',') },
  start: { offset: DRY_RUN_HEADER.length, row: 1, line: 2 },
}

type Chunks = AsyncIterable<Uint8Array>

/** Saves a report to a new file, and passes it on. @throws UploadFailure */
export async function* saved(file: string, chunks: Chunks): AsyncGenerator<Uint8Array> {
  const opened = await open(file, 'wx').catch((error: unknown) => {
    throw new UploadFailure(`The report cannot be saved: ${reasonOf(error)}.`)
  })
  try {
    for await (const chunk of chunks) {
      await opened.write(chunk)
      yield chunk
    }
  } finally {
    await opened.close()
  }
}

/** The text without line ends, so that each row is one line of the terminal. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

interface ReportRow {
  readonly isRejected: boolean
  readonly text: string
}

async function* afterHeader(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let left = DRY_RUN_HEADER.length
  for await (const chunk of chunks) {
    yield chunk.subarray(left)
    left = Math.max(left - chunk.length, 0)
  }
}

async function* reportRows(chunks: Chunks): AsyncGenerator<ReportRow> {
  for await (const row of rowsFrom(afterHeader(chunks), DIALECT)) {
    if (!('read' in row)) continue
    const [line, result = '', lead, column, value = '', message = ''] = DIALECT.header.map(row.read)
    const isRejected = result === 'rejected'
    const cell = column === undefined ? '' : `${column} "${onOneLine(value)}": `
    const more = isRejected ? `${onOneLine(cell)} ${onOneLine(message)}` : lead && `lead ${lead}`
    yield { isRejected, text: `  line ${line}: ${result}${more ? `, ${more.trim()}` : ''}` }
  }
}

/** The rows of a dry run as lines of text: all, or the rejected ones and then the first others. */
export const printedRows = async (chunks: Chunks): Promise<string[]> => {
  const shown: Record<'rejected' | 'other', string[]> = { rejected: [], other: [] }
  let count = 0
  const all: string[] = []
  for await (const { isRejected, text } of reportRows(chunks)) {
    count++
    const kind = shown[isRejected ? 'rejected' : 'other']
    if (kind.length < MOST_PRINTED) kind.push(text)
    if (all.length < MOST_PRINTED) all.push(text)
  }
  if (count <= MOST_PRINTED) return all
  const some = [...shown.rejected, ...shown.other].slice(0, MOST_PRINTED)
  return [...some, `  … and ${(count - some.length).toLocaleString('en-US')} more. --report FILE saves all of them.`]
}
