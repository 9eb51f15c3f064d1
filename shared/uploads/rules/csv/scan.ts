import type { CsvDialect } from '../../csv.ts'

const QUOTE = 0x22
const SPACE = 0x20
const RETURN = 0x0d

export type Format = Pick<CsvDialect, 'delimiter' | 'newline'>

/** Start and end of a cell's text, without the quotes around it. */
export interface Cell {
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

export interface ScannedRecord {
  readonly kind: 'record'
  /** The first cells, at most as many as requested. */
  readonly cells: readonly Cell[]
  /** The number of all cells. */
  readonly count: number
  /** Where the text of the last cell ends. */
  readonly textEnd: number
  /** Where the next record begins. */
  readonly end: number
  /** How many lines it spans. */
  readonly lines: number
}

/** `unfinished`: more bytes are needed to decide. */
type Fault = 'unfinished' | 'unclosed quote' | 'text after quote'
export type Scanned = ScannedRecord | { readonly kind: Fault }

interface Limits {
  readonly delimiter: number
  readonly newline: number
  /** Nothing comes after these bytes. */
  readonly isWhole: boolean
}

/** A cell, and the position of the delimiter or line end after it. */
type Found = Cell & { readonly after: number }

const plainCell = (bytes: Uint8Array, start: number, { delimiter, newline, isWhole }: Limits): Found | Fault => {
  let after = start
  while (after < bytes.length && bytes[after] !== delimiter && bytes[after] !== newline) after++
  if (after === bytes.length && !isWhole) return 'unfinished'
  let end = after
  if (bytes[after] !== delimiter) while (end > start && bytes[end - 1] === RETURN) end--
  return { start, end, quoted: false, after }
}

/** `open`: position of the opening quote. Spaces between the closing quote and the delimiter are ignored. */
const quotedCell = (bytes: Uint8Array, open: number, { delimiter, newline, isWhole }: Limits): Found | Fault => {
  let close = bytes.indexOf(QUOTE, open + 1)
  while (close !== -1 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2)
  if (close === -1) return isWhole ? 'unclosed quote' : 'unfinished'
  let after = close + 1
  while (bytes[after] === SPACE || (bytes[after] === RETURN && newline !== RETURN)) after++
  if (after === bytes.length) return isWhole ? { start: open + 1, end: close, quoted: true, after } : 'unfinished'
  if (bytes[after] !== delimiter && bytes[after] !== newline) return 'text after quote'
  return { start: open + 1, end: close, quoted: true, after }
}

/** Searches only the cell. A search of all bytes would scan to the next line end for each cell of a long line. */
const countOf = (byte: number, bytes: Uint8Array, { start, end }: Cell): number => {
  const cell = bytes.subarray(start, end)
  let count = 0
  for (let at = cell.indexOf(byte); at !== -1; at = cell.indexOf(byte, at + 1)) count++
  return count
}

/**
 * The record that begins at `from`, as in RFC 4180: a quoted cell may contain delimiters, line ends and doubled quotes. A quote in a cell
 * that does not begin with one is text.
 * @param mostCells the most cells to keep: in memory, a cell takes many times the one byte of an empty cell
 */
export const scanRecord = (
  bytes: Uint8Array,
  from: number,
  format: Format,
  isWhole: boolean,
  mostCells = Number.POSITIVE_INFINITY,
): Scanned => {
  const limits = { delimiter: format.delimiter.charCodeAt(0), newline: format.newline.charCodeAt(0), isWhole }
  const cells: Cell[] = []
  let lines = 1
  let count = 0
  for (let start = from; ; ) {
    let first = start
    while (bytes[first] === SPACE) first++
    const cell = bytes[first] === QUOTE ? quotedCell(bytes, first, limits) : plainCell(bytes, start, limits)
    if (typeof cell === 'string') return { kind: cell }
    count++
    if (count <= mostCells) cells.push(cell)
    if (cell.quoted) lines += countOf(limits.newline, bytes, cell)
    if (bytes[cell.after] !== limits.delimiter) {
      return { kind: 'record', cells, count, textEnd: cell.end, end: Math.min(cell.after + 1, bytes.length), lines }
    }
    start = cell.after + 1
  }
}

/** A line of only spaces is empty, and not a row. */
export const isBlankLine = (bytes: Uint8Array, { cells: [cell, ...others] }: ScannedRecord): boolean =>
  cell !== undefined && others.length === 0 && !cell.quoted && bytes.subarray(cell.start, cell.end).every((byte) => byte === SPACE)
