import type { CsvRow } from '../../domain/csv/rows.ts'
import { chainsOf } from '../../domain/uploads/chains.ts'
import type { Reads } from '../reads.ts'
import { readAhead } from './read-ahead.ts'
import { keysOf, type LeadRow, type RejectedRow, type RowReader, readRow } from './read-row.ts'

/** Rows of one lead, in their order. */
interface Chain {
  readonly rows: readonly LeadRow[]
  /** What the first of them looks at, if that was read ahead. */
  readonly reads: Reads | undefined
}

/** Rows that only need to be written. */
export interface PreparedRows {
  readonly chains: readonly Chain[]
  readonly rejected: readonly RejectedRow[]
  /** What they are about: rows with none of these have nothing to do with them. */
  readonly keys: ReadonlySet<string>
}

interface Circumstances {
  /** Whether they may have been handled before. */
  readonly isRepeat: boolean
  /** Keys of rows that are still being written: what is about the same is old by then, and not read ahead. */
  readonly unsettled?: ReadonlySet<string> | undefined
}

/** Finds out what rows want, and reads ahead what they will look at. Writes nothing. */
export const prepareRows = async (
  reader: RowReader,
  rows: readonly CsvRow[],
  { isRepeat, unsettled }: Circumstances,
): Promise<PreparedRows> => {
  const read = rows.map((row) => readRow(reader, row))
  const keyed = read.flatMap((row) => ('input' in row ? [{ row, keys: keysOf(reader, row) }] : []))
  const chains = chainsOf(keyed, ({ keys }) => keys).map((chain) => ({
    rows: chain.map(({ row }) => row),
    isSettled: !chain.some(({ keys }) => keys.some((key) => unsettled?.has(key))),
  }))
  const heads = chains.flatMap(({ rows: [first], isSettled }) => (first && isSettled ? [first.input] : []))
  const reads = await readAhead(reader.source.owner, reader.lookup, heads, isRepeat)
  return {
    chains: chains.map((chain) => ({ rows: chain.rows, reads: chain.isSettled ? reads : undefined })),
    rejected: read.filter((row) => 'cells' in row),
    keys: new Set(keyed.flatMap(({ keys }) => keys)),
  }
}
