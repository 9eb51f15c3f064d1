import { scanRecord } from '#shared/uploads/rules/csv/scan.ts'
import { cellText } from '#shared/uploads/rules/csv/text.ts'
import { unguarded } from '#shared/uploads/rules/formula-guard.ts'
import { ApiError } from '../../client/api-error.ts'
import type { ApiAnswer } from '../../client/client.ts'
import { texts } from '../texts.ts'

/** A line of a report: a mistake in a cell, or in a whole row. */
export interface ReportRow {
  readonly line: string
  /** Empty: the whole row. */
  readonly column: string
  readonly value: string
  readonly message: string
}

/** Lines that are shown. */
export const MOST_REPORTED = 100
/** Bytes that are read. A line of the report has at most a few kilobytes. */
const MOST_BYTES = 1024 * 1024

const FORMAT = { delimiter: ',', newline: '\n' } as const

/** The beginning of a text, in whole chunks. */
const beginningOf = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const reader = body.getReader()
  let bytes = new Uint8Array()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const longer = new Uint8Array(bytes.length + part.value.length)
    longer.set(bytes)
    longer.set(part.value, bytes.length)
    bytes = longer
    if (bytes.length >= MOST_BYTES) break
  }
  // It rejects only when the stream has failed, which the reads have told.
  reader.cancel().catch(() => {})
  return bytes
}

/** The whole lines of a report about rejected rows, at most `MOST_REPORTED`. */
const rejectedIn = (bytes: Uint8Array): readonly ReportRow[] => {
  const rows: ReportRow[] = []
  let names: readonly string[] | undefined
  for (let at = 0; at < bytes.length && rows.length < MOST_REPORTED; ) {
    const record = scanRecord(bytes, at, FORMAT, false)
    if (record.kind !== 'record') break
    const cells = record.cells.map((cell) => cellText(bytes, cell))
    const header = names ?? cells
    // Quotes that protect spreadsheets say nothing here.
    const read = (name: string): string => unguarded(cells[header.indexOf(name)] ?? '')
    // Only the report of a dry run has results, because it has all rows.
    const isRejected = !header.includes('result') || read('result') === 'rejected'
    if (names && isRejected) rows.push({ line: read('line'), column: read('column'), value: read('value'), message: read('message') })
    names = header
    at = record.end
  }
  return rows
}

/** Reads the first rejected rows of a report from its signed URL. @throws ApiError when the bucket refuses */
export const readReport = async (url: string, signal: AbortSignal): Promise<ApiAnswer<readonly ReportRow[]>> => {
  const answer = await fetch(url, { signal, credentials: 'omit', cache: 'no-store' })
  const { status, headers, body } = answer
  if (!answer.ok || !body) throw new ApiError('The report', answer, { detail: texts.uploads.reportGone })
  return { status, headers, warnings: [], data: rejectedIn(await beginningOf(body)) }
}
