import { now, realNow } from '../../platform/clock.ts'
import { measure } from '../../platform/metrics.ts'
import { SECOND } from '../../platform/values/durations.ts'
import type { CsvDialect, CsvPosition } from '../csv.ts'
import { type CsvRow, type EmptyLines, rowsFrom } from '../rules/csv/rows.ts'
import type { Upload } from '../upload.ts'
import { countRows, LEASE } from '../upload-work-store.ts'
import type { RowReader } from './read-row.ts'
import { keepRejected } from './rejected-file.ts'
import { takeAlone } from './take-alone.ts'
import { lookAtTime, takeRows } from './take-rows.ts'

/** Rows that are handled and counted together: what a crash has repeated at most. */
const BATCH = 250
/** A batch ends also after so many bytes of the file, for all of its rows are in memory. */
const BATCH_BYTES = 8 * 1024 * 1024

interface Portion {
  /** None where there are only empty lines. */
  readonly rows: readonly CsvRow[]
  readonly next: CsvPosition
}

/** The same ones from the same place, however the file comes; of the rows before `alone`, each by itself. */
export async function* inBatches(
  items: AsyncIterable<CsvRow | EmptyLines>,
  from: CsvPosition,
  alone: number = from.row,
): AsyncGenerator<Portion> {
  let rows: CsvRow[] = []
  let [start, next] = [from, from]
  for await (const item of items) {
    if (!('isEmpty' in item)) rows.push(item)
    next = item.next
    if (rows.length >= (start.row < alone ? 1 : BATCH) || next.offset - start.offset >= BATCH_BYTES) {
      yield { rows, next }
      rows = []
      start = next
    }
  }
  if (rows.length > 0) yield { rows, next }
}

interface Work {
  readonly reader: RowReader
  readonly dialect: CsvDialect
  /** The file from the last row that was counted on. */
  readonly stream: AsyncIterable<Uint8Array>
  /** Whether rows that are not counted may have been handled before. */
  readonly isRepeat: boolean
  /** Whether one of the rows is to be found by which their batch fails: they are handled one by one. */
  readonly isCareful: boolean
  /** What is left of the function's time, in milliseconds. */
  readonly remaining: () => number
}

export interface CountedRows {
  /** As it is then. */
  readonly upload: Upload
  readonly milliseconds: number
  /** Whether rows that are not counted may have been handled. */
  readonly isInRepeat: boolean
}

interface Turn {
  /** Whether its rows may have been handled before. */
  readonly isRepeat: boolean
  /** Whether others may have kept what they rejected of rows from its first one on. */
  readonly isKept: boolean
  /** Whether it is one row of a batch that failed. */
  readonly isAlone: boolean
}

/** Handles and counts one batch. @returns undefined when somebody else has the lease */
const count = async (
  upload: Upload,
  { rows, next }: Portion,
  { reader, dialect, remaining }: Work,
  { isRepeat, isKept, isAlone }: Turn,
): Promise<Upload | undefined> => {
  const { row } = upload.counted_to ?? dialect.start
  const giveUpAt = realNow() + Math.min(upload.lease_until - now() - SECOND, remaining() - 2 * SECOND)
  const take = isAlone ? takeAlone : takeRows
  const { counts, rejected } = await take(reader, { upload: upload.upload_id, rows, isRepeat, giveUpAt })
  lookAtTime(giveUpAt)
  // Of a batch that is repeated there may be rows that were rejected the first time and are not now.
  if (rejected.length > 0 || isKept) await keepRejected(upload, row, rejected)
  const at = now()
  if (!(await countRows(upload, next, counts, at))) return undefined
  const { rejected: bad, unhandled } = counts
  measure('rows_ingested', rows.length - bad)
  measure('rows_rejected', bad)
  return {
    ...{ ...upload, lease_until: at + LEASE, counted_to: next },
    ...{ rejected: upload.rejected + bad, unhandled: upload.unhandled + unhandled },
  }
}

/** Handles the rows of a file, and tells after each batch how far it is; undefined, and no more, when somebody else has the lease. */
export async function* countedRows(upload: Upload, work: Work): AsyncGenerator<CountedRows | undefined, void, undefined> {
  let counted: Upload | undefined = upload
  let isKept = work.isRepeat
  const from = upload.counted_to ?? work.dialect.start
  // As far as the batch may go that failed.
  const alone = work.isCareful ? from.row + BATCH : from.row
  for await (const batch of inBatches(rowsFrom(work.stream, work.dialect, from), from, alone)) {
    const began = realNow()
    const isAlone = (counted.counted_to ?? from).row < alone
    counted = await count(counted, batch, work, { isRepeat: isKept || isAlone, isKept, isAlone })
    yield counted && { upload: counted, milliseconds: realNow() - began, isInRepeat: batch.next.row < alone }
    if (!counted) return
    isKept = false
  }
}
