import type { CsvDialect } from '#shared/uploads/csv.ts'
import { isBlankLine, scanRecord } from '#shared/uploads/rules/csv/scan.ts'

export interface RowCount {
  readonly rows: number
  /** Whether all rows were counted. Otherwise, the number is estimated from the beginning of the file. */
  readonly isExact: boolean
}

/** How many rows a file has. @param head its first bytes @param size of the file, in bytes */
export const rowsOf = (head: Uint8Array, size: number, { start, ...format }: CsvDialect): RowCount => {
  const isWhole = size <= head.length
  const newline = format.newline.charCodeAt(0)
  let rows = 0
  let at = start.offset
  while (at < head.length) {
    const record = scanRecord(head, at, format, isWhole, 2)
    if (record.kind === 'unfinished') break
    const isRecord = record.kind === 'record'
    if (!isRecord || !isBlankLine(head, record)) rows++
    // As the service does, resume after a faulty row with the next line.
    const lineEnd = head.indexOf(newline, at)
    at = isRecord ? record.end : lineEnd === -1 ? head.length : lineEnd + 1
  }
  if (isWhole) return { rows, isExact: true }
  // A first row that is longer than the beginning counts as one.
  const scale = (size - start.offset) / ((rows === 0 ? head.length : at) - start.offset)
  return { rows: Math.round(Math.max(1, rows) * scale), isExact: false }
}
