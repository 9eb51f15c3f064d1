import * as v from 'valibot'

const Whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Where a row of a file begins, and reading can be taken up. */
export const CsvPosition = v.object({
  /** In bytes, from 0. */
  offset: Whole,
  /** Number of the row, from 1; the header is none. */
  row: Whole,
  /** Number of the line, from 1: a quoted cell may go over several. */
  line: Whole,
  /** Instead of a row, what is left of a line that is not read. */
  inLine: v.optional(v.literal(true)),
})
export type CsvPosition = v.InferOutput<typeof CsvPosition>

export const DELIMITERS = [',', ';', '\t'] as const

/** How a file is to be read, as its header tells. */
export const CsvDialect = v.object({
  delimiter: v.picklist(DELIMITERS),
  /** What ends a line; carriage returns before a line feed belong to it. */
  newline: v.picklist(['\n', '\r']),
  /** Names of the columns, without the white space around them. */
  header: v.array(v.string()),
  /** Of the first row. */
  start: CsvPosition,
})
export type CsvDialect = v.InferOutput<typeof CsvDialect>
