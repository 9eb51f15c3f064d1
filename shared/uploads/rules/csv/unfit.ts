import type { CsvDialect } from '../../csv.ts'

const EXTENSIONS = ['csv', 'tsv', 'tab', 'txt']

/** An ending of only digits, such as a date or a version, is not an extension. */
const extensionOf = (filename: string): string | undefined => /\.([a-z][a-z0-9]*|\d+[a-z][a-z0-9]*)$/i.exec(filename)?.[1]?.toLowerCase()

/** Why a file with this name is not read: a sentence. Undefined when it may be read. */
export const whyForeignName = (filename: string): string | undefined => {
  const extension = extensionOf(filename)
  if (extension === undefined || EXTENSIONS.includes(extension)) return undefined
  return `Files ending in .${extension} are not read. The name of a CSV file ends in .csv, .tsv, .tab or .txt, or has no ending.`
}

/** First bytes of file types that are not text. */
const SIGNATURES = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], told: 'a ZIP archive, as Excel workbooks (.xlsx) are' },
  { bytes: [0x50, 0x4b, 0x05, 0x06], told: 'an empty ZIP archive' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], told: 'an Excel workbook (.xls)' },
  { bytes: [0x1f, 0x8b], told: 'compressed (gzip)' },
  { bytes: [0x25, 0x50, 0x44, 0x46], told: 'a PDF document' },
  { bytes: [0xff, 0xfe], told: 'text in UTF-16' },
  { bytes: [0xfe, 0xff], told: 'text in UTF-16' },
]

/** Why a file is not read as CSV, by its name and its first bytes: a sentence. Undefined when it may be CSV. */
export const whyForeign = (head: Uint8Array, filename: string): string | undefined => {
  const signature = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))
  if (signature) return `The file is ${signature.told}, and not CSV in UTF-8 or Windows-1252. Save it as CSV and upload that.`
  return whyForeignName(filename)
}

/** Why a first line is not a header: a sentence. */
export const whyNoText = (line: Uint8Array): string | undefined => {
  if (!line.includes(0)) return undefined
  const isWide = line.every((byte, index) => index % 2 === 0 || byte === 0) || line.every((byte, index) => index % 2 === 1 || byte === 0)
  return isWide
    ? 'The file is text in UTF-16, and not CSV in UTF-8 or Windows-1252. Save it as CSV and upload that.'
    : 'The file is not text: its first line holds null characters. Save it as CSV and upload that.'
}

export interface TextPosition {
  /** Bytes. */
  readonly offset: number
  /** From 1. */
  readonly line: number
}

interface Hint {
  readonly delimiter: string
  /** Position of the line after the hint. */
  readonly next: TextPosition
}

/** Spreadsheets write this line above the header. Saving the file again may put it into quotes or append empty cells. */
const HINT = /^"?sep=(.)"?[\s,;]*$/iu
/** Bytes. A longer line is not a hint. */
const MOST_BYTES = 100

/** The hint, if this line is one: it names the character that separates cells. */
export const hintAt = (head: Uint8Array, { offset, line }: TextPosition, newline: CsvDialect['newline']): Hint | undefined => {
  const found = head.indexOf(newline.charCodeAt(0), offset)
  const end = found === -1 ? head.length : found
  if (end - offset > MOST_BYTES) return undefined
  const [, delimiter] = HINT.exec(Buffer.from(head.subarray(offset, end)).toString()) ?? []
  return delimiter === undefined ? undefined : { delimiter, next: { offset: Math.min(end + 1, head.length), line: line + 1 } }
}

/** Why a file with another delimiter is not read: a sentence. */
export const whyNotDelimiter = ({ delimiter }: Hint): string =>
  `The first line sets the separator "${delimiter}". Only commas, semicolons and tabs are supported.`

/** Facts about a file besides its bytes. */
export interface Expected {
  readonly filename: string
  /** Name of its source. */
  readonly source: string
  /** Columns that the source reads. */
  readonly columns: readonly string[]
  /** The column that rows are looked up by; null when rows are not looked up. */
  readonly lookup: string | null
}

const quotedNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** How many of the columns are in the header. */
export const known = (header: readonly string[], columns: readonly string[]): number =>
  columns.filter((column) => header.includes(column)).length

/** A sentence about columns that the header has in another case, with a space before it. Empty when there are none. */
const inOtherLetters = (header: readonly string[], columns: readonly string[]): string => {
  const pairs = columns.flatMap((column) => {
    const similar = header.find((name) => name.toLowerCase() === column.toLowerCase())
    return similar === undefined ? [] : [`The file has "${similar}", the source expects "${column}"`]
  })
  return pairs.length === 0 ? '' : ` ${pairs.join('. ')}: upper and lower case matter.`
}

/** Why a file with this header cannot be read: one or two sentences. Undefined when it can. */
export const whyUnfit = (header: readonly string[], { source, columns, lookup }: Expected): string | undefined => {
  const twice = columns.filter((column) => header.indexOf(column) !== header.lastIndexOf(column))
  if (twice.length > 0) return `The header names ${quotedNames(twice)} more than once. Each mapped column must occur once.`
  if (known(header, columns) === 0) {
    return `The header has none of the columns that the source "${source}" reads: ${quotedNames(columns)}.${inOtherLetters(header, columns)}`
  }
  if (lookup !== null && !header.includes(lookup)) {
    return `The header has no column "${lookup}", which the source "${source}" needs to find leads.${inOtherLetters(header, [lookup])}`
  }
  return undefined
}
