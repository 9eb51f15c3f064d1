import type { CsvDialect, CsvPosition } from '../../csv.ts'
import { ByteWindow, lineStart, type Skipped, skipLine } from './byte-window.ts'
import { type Cell, isBlankLine, type Scanned, type ScannedRecord, scanRecord } from './scan.ts'
import { cellText, excerpt } from './text.ts'

/** Bytes. A cell of this size or more is not read. */
export const CELL_LIMIT = 1_000_000
/** Bytes. A longer record counts as a quote that nobody closed. */
export const RECORD_LIMIT = 4 * 1024 * 1024

interface Problem {
  /** Name of the column; empty when the problem is about the row. */
  readonly column: string
  /** The beginning of the cell, or of the row. */
  readonly value: string
  readonly message: string
}

interface Placed {
  readonly at: CsvPosition
  /** Where to resume after it. */
  readonly next: CsvPosition
}

/** Many empty lines, or a part of a long line that is skipped. They are reported so that reading makes progress. */
export type EmptyLines = Placed & { readonly isEmpty: true }
/** A readable row. `read` returns the text by column name. It is undefined when the cell is blank or the column does not exist. */
export type ReadableRow = Placed & { readonly read: (column: string) => string | undefined }
/** A row that cannot be read. */
export type FaultyRow = Placed & { readonly problem: Problem }
export type CsvRow = ReadableRow | FaultyRow

/** After this many bytes of empty lines, the reader reports how far it is. */
const REPORTED_EMPTY = 1024 * 1024

const FAULTS = {
  unfinished: 'This row does not end within 4 MB. A quote in it may not be closed.',
  'unclosed quote': 'A quote is opened in this row and never closed.',
  'text after quote': 'Text follows the end of a quoted cell. Quotes inside a quoted cell must be doubled.',
} as const

const problemOf = (bytes: Uint8Array, { cells, count, textEnd }: ScannedRecord, { header }: CsvDialect): Problem | undefined => {
  const start = cells[0]?.start
  if (count !== header.length) {
    const value = excerpt(bytes.subarray(start, textEnd))
    return { column: '', value, message: `Expected ${header.length} cells, as in the header, but got ${count}.` }
  }
  const inCell = (cell: Cell, index: number, message: string): Problem => ({
    column: header[index] ?? '',
    value: excerpt(bytes.subarray(cell.start, cell.end)),
    message,
  })
  const hasNull = bytes.subarray(start, textEnd).includes(0)
  for (const [index, cell] of cells.entries()) {
    if (cell.end - cell.start >= CELL_LIMIT) return inCell(cell, index, 'This cell holds 1 MB or more.')
    if (hasNull && bytes.subarray(cell.start, cell.end).includes(0)) return inCell(cell, index, 'Null characters are not allowed.')
  }
  return undefined
}

const reader = (dialect: CsvDialect) => {
  // The first of several columns with one name counts.
  const places = new Map(dialect.header.map((column, index) => [column, index] as const).reverse())
  return (bytes: Uint8Array, { cells }: ScannedRecord) =>
    (column: string): string | undefined => {
      const cell = cells[places.get(column) ?? -1]
      const text = cell && cellText(bytes, cell)
      return text?.trim() ? text : undefined
    }
}

/** The next record, or its fault, however the stream is chunked. Undefined at the end. */
const nextRecord = async (window: ByteWindow, dialect: CsvDialect): Promise<Scanned | undefined> => {
  for (;;) {
    const isTooLong = window.unread > RECORD_LIMIT
    const bytes = isTooLong ? window.bytes.subarray(0, window.at + RECORD_LIMIT) : window.bytes
    if (window.unread === 0 && window.isWhole) return undefined
    const scanned = scanRecord(bytes, window.at, dialect, window.isWhole && !isTooLong, dialect.header.length)
    if (scanned.kind !== 'unfinished' || isTooLong) return scanned
    await window.grow()
  }
}

/** The position after a skipped part of a line. @param rows how many rows begin at `at` */
const afterSkipped = (at: CsvPosition, { bytes, isOver }: Skipped, rows: number): CsvPosition =>
  isOver ? advanced(at, bytes, rows, 1) : { ...advanced(at, bytes, rows, 0), inLine: true }

const advanced = ({ offset, row, line }: CsvPosition, bytes: number, rows: number, lines: number): CsvPosition => ({
  offset: offset + bytes,
  row: row + rows,
  line: line + lines,
})

/**
 * Yields the rows of a file, in constant memory. `stream` begins at `from.offset` and may have chunks of any size. A faulty row is
 * reported, and reading continues: after an unclosed quote, at the next line. Empty lines are not rows, and are reported only when there
 * are very many.
 */
export async function* rowsFrom(
  stream: AsyncIterable<Uint8Array>,
  dialect: CsvDialect,
  from: CsvPosition = dialect.start,
): AsyncGenerator<CsvRow | EmptyLines, void, undefined> {
  const window = new ByteWindow(stream)
  const readerOf = reader(dialect)
  const newline = dialect.newline.charCodeAt(0)
  let at = from
  /** Start of the empty lines that have not been reported. */
  let reported = from
  async function* restOfLine(): AsyncGenerator<EmptyLines> {
    while (at.inLine) {
      const next = afterSkipped(at, await skipLine(window, newline), 0)
      yield { at, next, isEmpty: true }
      at = next
    }
    reported = at
  }
  try {
    yield* restOfLine()
    for (let scanned = await nextRecord(window, dialect); scanned; scanned = await nextRecord(window, dialect)) {
      if (scanned.kind !== 'record') {
        const value = await lineStart(window, dialect.newline)
        const next = afterSkipped(at, await skipLine(window, newline), 1)
        yield { at, next, problem: { column: '', value, message: FAULTS[scanned.kind] } }
        at = next
        yield* restOfLine()
        continue
      }
      const { bytes } = window
      const isRow = !isBlankLine(bytes, scanned)
      const next = advanced(at, scanned.end - window.at, isRow ? 1 : 0, scanned.lines)
      window.at = scanned.end
      if (isRow) {
        const problem = problemOf(bytes, scanned, dialect)
        yield problem ? { at, next, problem } : { at, next, read: readerOf(bytes, scanned) }
      } else if (next.offset - reported.offset >= REPORTED_EMPTY) yield { at: reported, next, isEmpty: true }
      if (isRow || next.offset - reported.offset >= REPORTED_EMPTY) reported = next
      at = next
    }
  } finally {
    await window.close()
  }
}
