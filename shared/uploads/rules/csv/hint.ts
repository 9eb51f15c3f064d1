import type { CsvDialect } from '../../csv.ts'

export interface TextPosition {
  /** In bytes. */
  readonly offset: number
  /** From 1. */
  readonly line: number
}

export interface Hint {
  readonly delimiter: string
  /** Of the line after it. */
  readonly next: TextPosition
}

/** What spreadsheets write above the header, and saving once more may put into quotes, or follow by empty cells. */
const HINT = /^"?sep=(.)"?[\s,;]*$/iu
/** A longer line is none. */
const MOST_BYTES = 100

/** The line, if it is one, that says how the cells of a file are separated. */
export const hintAt = (head: Uint8Array, { offset, line }: TextPosition, newline: CsvDialect['newline']): Hint | undefined => {
  const found = head.indexOf(newline.charCodeAt(0), offset)
  const end = found === -1 ? head.length : found
  if (end - offset > MOST_BYTES) return undefined
  const [, delimiter] = HINT.exec(Buffer.from(head.subarray(offset, end)).toString()) ?? []
  return delimiter === undefined ? undefined : { delimiter, next: { offset: Math.min(end + 1, head.length), line: line + 1 } }
}

/** Why a file is not read whose cells are separated by something else: a sentence. */
export const whyNotDelimiter = ({ delimiter }: Hint): string =>
  `The first line says that cells are separated by "${delimiter}", and they can only be by commas, semicolons or tabs.`
