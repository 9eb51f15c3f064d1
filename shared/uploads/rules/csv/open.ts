import { type CsvDialect, DELIMITERS } from '../../csv.ts'
import { namedBySource } from './columns.ts'
import { type ScannedRecord, scanRecord } from './scan.ts'
import { cellText } from './text.ts'
import {
  type Expected,
  type FileHeader,
  hintAt,
  known,
  type TextPosition,
  unreadConsents,
  whyForeign,
  whyNoText,
  whyNotDelimiter,
  whyUnfit,
} from './unfit.ts'

/** Bytes. The first bytes of a file, which must contain its header. */
export const HEAD_BYTES = 64 * 1024

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const QUOTE = 0x22
const FEED = 0x0a
const RETURN = 0x0d

/** `written`: names of the columns, as the file has them. */
export type Opened = { readonly dialect: CsvDialect; readonly written: readonly string[] } | { readonly refusal: string }

const afterMark = (head: Uint8Array): TextPosition => ({
  offset: BYTE_ORDER_MARK.every((byte, index) => head[index] === byte) ? BYTE_ORDER_MARK.length : 0,
  line: 1,
})

/** The position after empty lines. */
const textStart = (head: Uint8Array, from: TextPosition): TextPosition => {
  let { offset, line } = from
  for (let at = offset; at < head.length; at++) {
    const byte = head[at]
    if (byte === FEED || (byte === RETURN && head[at + 1] !== FEED)) {
      line++
      offset = at + 1
    } else if (byte !== 0x20 && byte !== RETURN) return { offset, line }
  }
  return { offset: head.length, line }
}

/** A carriage return alone ends lines only when the first line ends with one and no line feed follows. Quoted cells are skipped. */
const newlineOf = (head: Uint8Array, offset: number): CsvDialect['newline'] => {
  let isQuoted = false
  for (let at = offset; at < head.length; at++) {
    const byte = head[at]
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === FEED && !isQuoted) return '\n'
    else if (byte === RETURN && !isQuoted) {
      while (head[at + 1] === RETURN) at++
      return head[at + 1] === FEED || at + 1 === head.length ? '\n' : '\r'
    }
  }
  return '\n'
}

interface Candidate extends FileHeader {
  readonly delimiter: CsvDialect['delimiter']
  readonly record: ScannedRecord
  readonly ignored: string
  readonly unclear: string | undefined
}

/**
 * The most likely delimiter: the one whose header has the most columns that the source reads. On a tie, the delimiter that the file names
 * wins, then the one with the most columns. Undefined when the header cannot be read.
 */
const bestCandidate = (
  head: Uint8Array,
  isWhole: boolean,
  format: { offset: number; newline: CsvDialect['newline']; named: string | undefined },
  { columns, decisive }: Expected,
) => {
  const found = DELIMITERS.flatMap((delimiter): Candidate[] => {
    const record = scanRecord(head, format.offset, { delimiter, newline: format.newline }, isWhole)
    if (record.kind !== 'record') return []
    const written = record.cells.map((cell) => cellText(head, cell).trim())
    return [{ delimiter, record, written, ...namedBySource(written, columns, decisive) }]
  })
  const isNamed = ({ delimiter }: Candidate): number => (delimiter === format.named ? 1 : 0)
  const rank = (a: Candidate, b: Candidate): number => isNamed(b) - isNamed(a) || b.header.length - a.header.length
  const [best] = found.sort((a, b) => known(b.header, columns) - known(a.header, columns) || rank(a, b))
  // With a wrong delimiter, an unclosed quote may be inside a cell, where it is text.
  return best && (found.length === DELIMITERS.length || known(best.header, columns) > 0) ? best : undefined
}

/**
 * Detects how to read a file from its first HEAD_BYTES bytes, or from all of it (`isWhole`). `refusal`: why it is not read, a sentence for
 * its sender. A file with only a header is valid and has no rows.
 */
export const openCsv = (head: Uint8Array, isWhole: boolean, expected: Expected): Opened => {
  const foreign = whyForeign(head, expected.filename)
  if (foreign !== undefined) return { refusal: foreign }
  const first = textStart(head, afterMark(head))
  const newline = newlineOf(head, first.offset)
  const hint = hintAt(head, first, newline)
  if (hint && !DELIMITERS.some((delimiter) => delimiter === hint.delimiter)) return { refusal: whyNotDelimiter(hint) }
  const { offset, line } = hint ? textStart(head, hint.next) : first
  if (offset === head.length && isWhole) return { refusal: 'The file is empty.' }
  const lineEnd = head.indexOf(newline.charCodeAt(0), offset)
  const noText = whyNoText(head.subarray(offset, lineEnd === -1 ? head.length : lineEnd))
  if (noText !== undefined) return { refusal: noText }
  const best = bestCandidate(head, isWhole, { offset, newline, named: hint?.delimiter }, expected)
  if (!best)
    return {
      refusal: `The header cannot be read: it is longer than ${HEAD_BYTES / 1024} KB, or a quote in it is not closed.`,
    }
  const unfit = best.unclear ?? whyUnfit(best, expected)
  if (unfit !== undefined) return { refusal: unfit }
  const { record, header, written, delimiter } = best
  const ignored = [best.ignored, unreadConsents(header, expected)].filter((sentence) => sentence !== '').join(' ')
  const start = { offset: record.end, row: 1, line: line + record.lines }
  return { dialect: { delimiter, newline, header: [...header], start, ...(ignored && { ignored }) }, written }
}
