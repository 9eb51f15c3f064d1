import * as v from 'valibot'

const Whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A position in a file at which a row begins and reading can resume. */
export const CsvPosition = v.object({
  /** Bytes, from 0. */
  offset: Whole,
  /** Row number, from 1. The header does not count. */
  row: Whole,
  /** Line number, from 1. A quoted cell may span several lines. */
  line: Whole,
  /** The position is not at a row, but inside a line that is skipped. */
  inLine: v.optional(v.literal(true)),
})
export type CsvPosition = v.InferOutput<typeof CsvPosition>

export const DELIMITERS = [',', ';', '\t'] as const

/** How to read a file, as detected from its header. */
export const CsvDialect = v.object({
  delimiter: v.picklist(DELIMITERS),
  /** The end of a line. Carriage returns before a line feed belong to it. */
  newline: v.picklist(['\n', '\r']),
  /** Names of the columns, as the source names them, or else as the file does, without surrounding white space. */
  header: v.array(v.string()),
  /** Position of the first row. */
  start: CsvPosition,
  /** Sentences for the sender about ignored columns. Another one has their name, or they look like a consent that the source does not read. */
  ignored: v.optional(v.string()),
})
export type CsvDialect = v.InferOutput<typeof CsvDialect>
