import { now, realNow } from '../../adapters/clock.ts'
import { type CsvRow, rowsFrom } from '../../domain/csv/rows.ts'
import { SECOND } from '../../domain/durations.ts'
import type { CsvDialect } from '../../schema/csv.ts'
import type { Upload } from '../../schema/upload.ts'
import { countRows, LEASE } from '../../storage/upload-work.ts'
import type { RowReader } from './read-row.ts'
import { keepRejected } from './rejected-file.ts'
import { takeRows } from './take-rows.ts'

/** Rows that are handled and counted together: what a crash has repeated at most. */
const BATCH = 250

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

interface Work {
  readonly reader: RowReader
  readonly dialect: CsvDialect
  /** The file from the last row that was counted on. */
  readonly stream: AsyncIterable<Uint8Array>
  /** Whether rows that are not counted may have been handled before. */
  readonly isRepeat: boolean
}

export interface Counted {
  /** As it is then. */
  readonly upload: Upload
  readonly milliseconds: number
}

/** Handles and counts one batch. @returns undefined when somebody else has the lease */
const count = async (upload: Upload, rows: readonly CsvRow[], { reader }: Work, isRepeat: boolean): Promise<Upload | undefined> => {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return upload
  const { counts, rejected } = await takeRows(reader, { upload: upload.upload_id, rows, giveUpAt: realNow() + LEASE - SECOND })
  // Of a batch that is repeated there may be rows that were rejected the first time and are not now.
  if (rejected.length > 0 || isRepeat) await keepRejected(upload, first.at.row, rejected)
  if (!(await countRows(upload, last.next, counts, now()))) return undefined
  return { ...upload, counted_to: last.next, rejected: upload.rejected + counts.rejected }
}

/** Handles the rows of a file, and tells after each batch how far it is; undefined, and no more, when somebody else has the lease. */
export async function* countedRows(upload: Upload, work: Work): AsyncGenerator<Counted | undefined, void, undefined> {
  let counted: Upload | undefined = upload
  let isRepeat = work.isRepeat
  for await (const rows of inBatches(rowsFrom(work.stream, work.dialect, upload.counted_to ?? work.dialect.start))) {
    const began = realNow()
    counted = await count(counted, rows, work, isRepeat)
    yield counted && { upload: counted, milliseconds: realNow() - began }
    if (!counted) return
    isRepeat = false
  }
}
