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

export interface ReportPart {
  readonly rows: readonly ReportRow[]
  /** Whether the report has more lines than were read. */
  readonly isCut: boolean
}

/** Lines that are shown. */
const MOST_REPORTED = 100
/** Bytes that are read. A line of the report has at most a few kilobytes. */
const MOST_BYTES = 1024 * 1024

const FORMAT = { delimiter: ',', newline: '\n' } as const

interface Beginning {
  readonly bytes: Uint8Array
  /** Whether this is the whole text. */
  readonly isWhole: boolean
}

/** The beginning of a text, in whole chunks. */
const beginningOf = async (body: ReadableStream<Uint8Array>): Promise<Beginning> => {
  const reader = body.getReader()
  let bytes = new Uint8Array()
  let part = await reader.read()
  for (; !part.done && bytes.length < MOST_BYTES; part = await reader.read()) {
    const longer = new Uint8Array(bytes.length + part.value.length)
    longer.set(bytes)
    longer.set(part.value, bytes.length)
    bytes = longer
  }
  // It rejects only when the stream has failed, which the reads have reported.
  reader.cancel().catch(() => {})
  return { bytes, isWhole: part.done }
}

/** The whole lines of a report about rejected rows, at most `MOST_REPORTED`. */
const rejectedIn = ({ bytes, isWhole }: Beginning): ReportPart => {
  const rows: ReportRow[] = []
  let names: readonly string[] | undefined
  let at = 0
  while (at < bytes.length && rows.length < MOST_REPORTED) {
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
  return { rows, isCut: !isWhole || at < bytes.length }
}

/** A request that fails without an answer: another program may block the bucket, so that no repeat helps. */
const noAnswer = (): Response => Response.error()

/** Reads the first rejected rows of a report from its signed URL. @throws ApiError when the bucket refuses, or cannot be reached */
export const readReport = async (url: string, signal: AbortSignal): Promise<ApiAnswer<ReportPart>> => {
  const answer = await fetch(url, { signal, credentials: 'omit', cache: 'no-store' }).catch(noAnswer)
  const { status, headers, body } = answer
  if (!answer.ok || !body) throw new ApiError('The report', answer, { detail: texts.uploads.reportGone })
  return { status, headers, warnings: [], data: rejectedIn(await beginningOf(body)) }
}
