import type { CsvDialect } from '../../csv.ts'

export interface TextPosition {
  /** Bytes. */
  readonly offset: number
  /** From 1. */
  readonly line: number
}

export interface Hint {
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
  `The first line says that cells are separated by "${delimiter}", and they can only be by commas, semicolons or tabs.`
