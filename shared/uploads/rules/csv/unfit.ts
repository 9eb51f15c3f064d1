import { listedUpTo, nearest } from '../../../http/fields/nearest.ts'
import { misnamedConsents, type ReadNames } from '../../../ingestion/rules/misnamed-consent.ts'
import type { CsvDialect } from '../../csv.ts'
import { looseName, MOST_LISTED, shown } from './columns.ts'

const EXTENSIONS = ['csv', 'tsv', 'tab', 'txt']

/** An ending of only digits, such as a date or a version, is not an extension. */
const extensionOf = (filename: string): string | undefined => /\.([a-z][a-z0-9]*|\d+[a-z][a-z0-9]*)$/i.exec(filename)?.[1]?.toLowerCase()

/** Why a file with this name is not read: a sentence. Undefined when it may be read. */
export const whyForeignName = (filename: string): string | undefined => {
  const extension = extensionOf(filename)
  if (extension === undefined || EXTENSIONS.includes(extension)) return undefined
  return `Files ending in .${extension} are not read. The name of a CSV file ends in .csv, .tsv, .tab or .txt, or has no ending.`
}

const FROM_WORKBOOK = 'Open it in a spreadsheet program, save the sheet as "CSV UTF-8", and upload that file.'
const UTF_16 = {
  kind: 'text in UTF-16',
  advice: 'Save it as "CSV UTF-8", or convert it: iconv -f UTF-16 -t UTF-8 OLD.csv > NEW.csv',
}

const IMAGE = { kind: 'an image', advice: 'Ask for the data as CSV.' }

/** First bytes of file types that are not CSV. */
const SIGNATURES = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: 'a ZIP archive, as Excel workbooks (.xlsx) are', advice: FROM_WORKBOOK },
  { bytes: [0x50, 0x4b, 0x05, 0x06], kind: 'an empty ZIP archive', advice: 'Upload a CSV file.' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], kind: 'an Excel workbook (.xls)', advice: FROM_WORKBOOK },
  { bytes: [0x1f, 0x8b], kind: 'compressed (gzip)', advice: 'Decompress it with gunzip, and upload the CSV file.' },
  { bytes: [0x25, 0x50, 0x44, 0x46], kind: 'a PDF document', advice: 'Ask for the data as CSV.' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], ...IMAGE },
  { bytes: [0xff, 0xd8, 0xff], ...IMAGE },
  // GIF87a and GIF89a.
  { bytes: [0x47, 0x49, 0x46, 0x38, 0x37, 0x61], ...IMAGE },
  { bytes: [0x47, 0x49, 0x46, 0x38, 0x39, 0x61], ...IMAGE },
  { bytes: [0xff, 0xfe], ...UTF_16 },
  { bytes: [0xfe, 0xff], ...UTF_16 },
]

const notCsv = ({ kind, advice }: typeof UTF_16): string => `The file is ${kind}, and not CSV in UTF-8 or Windows-1252. ${advice}`

/** Why a file is not read as CSV, by its name and its first bytes: a sentence. Undefined when it may be CSV. */
export const whyForeign = (head: Uint8Array, filename: string): string | undefined => {
  const signature = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))
  if (signature) return notCsv(signature)
  return whyForeignName(filename)
}

/** Why a first line is not a header: a sentence. */
export const whyNoText = (line: Uint8Array): string | undefined => {
  if (!line.includes(0)) return undefined
  const isWide = line.every((byte, index) => index % 2 === 0 || byte === 0) || line.every((byte, index) => index % 2 === 1 || byte === 0)
  return isWide ? notCsv(UTF_16) : 'The file is not text: its first line holds null characters. Save it as CSV and upload that.'
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
/** A separator may be any character, and bytes that are not UTF-8 make no hint. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })
/** Bytes. A longer line is not a hint. */
const MOST_BYTES = 100

/** The hint, if this line is one: it names the character that separates cells. */
export const hintAt = (head: Uint8Array, { offset, line }: TextPosition, newline: CsvDialect['newline']): Hint | undefined => {
  const found = head.indexOf(newline.charCodeAt(0), offset)
  const end = found === -1 ? head.length : found
  if (end - offset > MOST_BYTES) return undefined
  const [, delimiter] = HINT.exec(UTF_8.decode(head.subarray(offset, end))) ?? []
  return delimiter === undefined ? undefined : { delimiter, next: { offset: Math.min(end + 1, head.length), line: line + 1 } }
}

/** Why a file with another delimiter is not read: a sentence. */
export const whyNotDelimiter = ({ delimiter }: Hint): string =>
  `The first line sets the separator "${delimiter}". Only commas, semicolons and tabs are supported.`

/** Columns of which a file must have one. */
export interface NeededColumns {
  /** Alternative names. */
  readonly names: readonly string[]
  readonly purpose: 'to find leads' | 'to create leads'
}

/** The name of a file, and what its source reads. */
export interface Expected {
  readonly filename: string
  /** Name of its source. */
  readonly source: string
  /** Columns that the source reads. */
  readonly columns: readonly string[]
  /** Columns that decide whom, when and whether the service calls. */
  readonly decisive: readonly string[]
  /** Columns by the field that they fill. */
  readonly fields: readonly ReadNames[]
  /** Null when the source needs no column in particular. */
  readonly needed: NeededColumns | null
}

/** At most this many columns of a file are compared with the names of the missing columns. */
const MOST_COMPARED = 300

const quotedNames = (names: readonly string[], between = ', '): string => {
  const more = names.length - MOST_LISTED
  return `${names.slice(0, MOST_LISTED).map(shown).join(between)}${more > 0 ? ` and ${more} more` : ''}`
}

/** How many of the columns are in the header. */
export const known = (header: readonly string[], columns: readonly string[]): number =>
  columns.filter((column) => header.includes(column)).length

/** A name as `nearest` compares it: its words are parts. */
const inParts = (name: string): string => looseName(name).replaceAll(' ', '_')

/** The file's columns that may be meant, as a sentence with a space before it. Empty when none is similar. */
const similarOnes = (header: readonly string[], columns: readonly string[]): string => {
  const free = new Map(
    header
      .filter((name) => name !== '' && !columns.includes(name))
      .slice(0, MOST_COMPARED)
      .map((name) => [inParts(name), name]),
  )
  const byNear = Map.groupBy(columns, (column) => nearest(inParts(column), [...free.keys()]) ?? '')
  const pairs = [...byNear].flatMap(([near, similar]) => {
    const written = free.get(near)
    // A column of the file is proposed once. If it may be any of several, it is not proposed.
    const meant = nearest(near, similar.map(inParts))
    const column = similar.find((one) => inParts(one) === meant)
    return written === undefined || column === undefined ? [] : [`${shown(written)} for ${shown(column)}`]
  })
  return pairs.length === 0 ? '' : ` Is it ${pairs.slice(0, MOST_LISTED).join(', ')}?`
}

const ADVICE = 'Rename columns in the file, or ask the operator to add their names to the source.'

/** The columns of a file. */
export interface FileHeader {
  /** With the names that the source uses where it reads them. */
  readonly header: readonly string[]
  /** As the file has them. */
  readonly written: readonly string[]
}

/** The columns of the file and of the source, with advice. */
const comparison = ({ header, written }: FileHeader, missing: readonly string[], { columns }: Expected): string =>
  `The file has ${quotedNames(written)}; the source reads ${quotedNames(columns)}.${similarOnes(header, missing)} ${ADVICE}`

/** A sentence about columns that look like those of a consent, but are not read. Empty when there are none. */
export const unreadConsents = (header: readonly string[], { source, fields }: Expected): string => {
  const found = misnamedConsents(header, fields).map(({ name, meant }) => `${shown(name)}, which is similar to ${shown(meant)}`)
  return found.length === 0
    ? ''
    : `The source "${source}" does not read ${listedUpTo(MOST_LISTED, found)}: a consent in it is not recorded. ${ADVICE}`
}

/** Why a file with this header cannot be read: some sentences. Undefined when it can. */
export const whyUnfit = (found: FileHeader, expected: Expected): string | undefined => {
  const { header } = found
  const { source, columns, needed } = expected
  if (known(header, columns) === 0) {
    return `The header, which is the first line, has none of the columns that the source "${source}" reads. ${comparison(found, columns, expected)}`
  }
  if (needed !== null && known(header, needed.names) === 0) {
    const names = quotedNames(needed.names, ' or ')
    return `The header has no column ${names}, which the source "${source}" needs ${needed.purpose}. ${comparison(found, needed.names, expected)}`
  }
  return undefined
}
