import { guarded } from './formula-guard.ts'

/** A fault in a cell of an uploaded file, or in a whole row. */
export interface RejectedCell {
  /** Line of the file where the row begins, from 1. */
  readonly line: number
  /** Empty: the whole row. */
  readonly column: string
  readonly value: string
  readonly message: string
}

export const REJECTED_HEADER = 'line,column,value,message\r\n'

/** Characters. Longer values are cut. */
export const VALUE_LIMIT = 1000

/** Returns a copy: a slice would keep all of a long text in memory. */
export const shortened = (text: string): string =>
  text.length <= VALUE_LIMIT ? text : Buffer.from(text.slice(0, VALUE_LIMIT), 'utf16le').toString('utf16le')

/** Some CSV readers treat a null character as the end of the text or of the file. */
const shownNulls = (text: string): string => text.replaceAll('\0', '\ufffd')

const cell = (text: string): string => {
  const shown = guarded(shownNulls(text))
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

/** The result of a row, or in a dry run its expected result. */
export interface RowResult {
  /** Line of the file where the row begins, from 1. */
  readonly line: number
  readonly result: 'created' | 'reengaged' | 'updated' | 'unchanged'
  /** Id of its lead. Null for a lead that a dry run would create. */
  readonly lead: number | null
  /** Line at which an earlier row begins whose lead this row changes. */
  readonly earlier?: number | undefined
}

const earlierText = (line: number): string =>
  `This row changes the lead that the row at line ${line} wrote. Where both rows have a value, the later one counts.`

/** The report of a dry run has a line for each row, and for each fault of a rejected row. */
export const DRY_RUN_HEADER = 'line,result,lead,column,value,message\r\n'

/** A line of the report of a dry run. */
export const dryRunLine = (row: RowResult | RejectedCell): string =>
  'result' in row
    ? `${row.line},${row.result},${row.lead ?? ''},,,${row.earlier === undefined ? '' : cell(earlierText(row.earlier))}\r\n`
    : `${row.line},rejected,,${cell(row.column)},${cell(shortened(row.value))},${cell(shortened(row.message))}\r\n`

/** A doubled quote within quotes counts as the end of one quoted part and the beginning of another. */
const RECORD = /(?:"[^"]*"|[^"\r\n])*\r\n/gy

/** The lines of a report in the order of the file. Each begins with a number of a line of the file. */
export const inFileOrder = (report: string): string =>
  (report.match(RECORD) ?? [])
    .map((text) => ({ text, line: Number.parseInt(text, 10) }))
    .sort((a, b) => a.line - b.line)
    .map(({ text }) => text)
    .join('')

/** A line of CSV with its line end. */
export const rejectedLine = ({ line, column, value, message }: RejectedCell): string =>
  `${line},${cell(column)},${cell(shortened(value))},${cell(shortened(message))}\r\n`
