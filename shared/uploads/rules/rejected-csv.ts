/** What is wrong with a cell of an uploaded file, or with a whole row. */
export interface RejectedCell {
  /** Of the file, where the row begins; from 1. */
  readonly line: number
  /** Empty: the row as a whole. */
  readonly column: string
  readonly value: string
  readonly message: string
}

export const REJECTED_HEADER = 'line,column,value,message\r\n'

/** Longer values are cut: it is about what is wrong with them. */
export const VALUE_LIMIT = 1000

/** Its beginning, as text of its own: a slice would keep all of a long one in memory. */
export const shortened = (text: string): string =>
  text.length <= VALUE_LIMIT ? text : Buffer.from(text.slice(0, VALUE_LIMIT), 'utf16le').toString('utf16le')

/** White space, what has no width, and quotes: what a spreadsheet may pass over before a formula. */
const PASSED_OVER = '[" \\v\\f\\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\ufffd]*'
/** In full width too, as Japanese and Chinese spreadsheets take them. */
const SIGNS = '[=+\\-@＝＋－＠]'
/**
 * A spreadsheet would run what begins so, also behind what it may take for the end of a cell: where lists are separated by semicolons, a
 * cell ends with one, and the line with the next line feed.
 */
const RUN = new RegExp(`^(?=[\\t\\r])|(^|[;\\t\\r\\n])(?=${PASSED_OVER}${SIGNS})`, 'g')

/** Some readers of CSV take a null character for the end of the text, or of the file. */
const shownNulls = (text: string): string => text.replaceAll('\0', '\ufffd')

const cell = (text: string): string => {
  const shown = shownNulls(text).replace(RUN, "$1'")
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

/** A line of CSV with its end. */
export const rejectedLine = ({ line, column, value, message }: RejectedCell): string =>
  `${line},${cell(column)},${cell(shortened(value))},${cell(shortened(message))}\r\n`
