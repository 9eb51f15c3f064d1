import { NO_LEADS } from '../../calling/rules/preview.ts'
import type { LeadWriter } from '../../leads/lead-writer.ts'
import type { FollowUp } from '../../leads/update-plan.ts'
import { now, realNow } from '../../platform/clock.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { measure } from '../../platform/metrics.ts'
import { SECOND } from '../../platform/values/durations.ts'
import type { CsvDialect, CsvPosition } from '../csv.ts'
import { BATCH, firstBatch, nextBatch } from '../rules/batches.ts'
import { type CsvRow, type EmptyLines, rowsFrom } from '../rules/csv/rows.ts'
import { laneOf, windowRows } from '../rules/lanes.ts'
import { type Upload, warnedCounts } from '../upload.ts'
import { countRows } from '../upload-work-store.ts'
import { isTransient, REASON_IN_LOG } from './failures.ts'
import type { RowReader } from './read-row.ts'
import { storePiece } from './report-file.ts'
import { type Batch, checkTimeLeft, type RowResults, takeRows } from './take-rows.ts'

/** How often a row is tried alone, after its batch has failed repeatedly. */
const TRIES_ALONE = 2
const MESSAGE = `This row could not be processed, ${REASON_IN_LOG} The other rows are processed.`

/** A written row counts as written. Only a transient error of the follow-up work is worth a repeat. */
const followIfCan =
  ({ upload, rows }: Batch): FollowUp =>
  async (work) => {
    try {
      await work()
    } catch (error) {
      if (isTransient(error)) throw error
      logger.error('A row was written, but a later step failed.', { upload, row: rows[0]?.at.row, error: loggable(error) })
    }
  }

/** Like `takeRows` with a batch of one row. Rejects the row when it keeps failing before it is written. */
const takeAlone = async (reader: RowReader, batch: Batch): Promise<RowResults> => {
  const follow = followIfCan(batch)
  for (let tries = 1; ; tries++) {
    try {
      return await takeRows(reader, { ...batch, follow })
    } catch (error) {
      if (isTransient(error)) throw error
      if (tries < TRIES_ALONE) continue
      const at = batch.rows.map((row) => row.at)
      logger.error('A row is rejected because it keeps failing.', { upload: batch.upload, row: at[0]?.row, error: loggable(error) })
      return {
        counts: { created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: at.length, unhandled: at.length, ...warnedCounts({}) },
        rejected: at.map(({ row, line }) => ({ row, cells: [{ line, column: '', value: '', message: MESSAGE }] })),
        taken: [],
        preview: NO_LEADS,
        warnedLines: {},
      }
    }
  }
}

/** Bytes of the file. A batch also ends after this many, because all its rows are in memory. */
const BATCH_BYTES = 8 * 1024 * 1024

interface Portion {
  /** Empty when there are only empty lines. */
  readonly rows: readonly CsvRow[]
  readonly next: CsvPosition
}

/** The rows that a worker takes. */
interface Share {
  readonly isOwn: (row: CsvRow) => boolean
  /** Batches end at each multiple of so many rows. */
  readonly window: number
}

const WHOLE: Share = { isOwn: () => true, window: Number.POSITIVE_INFINITY }

const shareOf = ({ lane, plan }: Upload): Share =>
  plan && lane > 0 ? { isOwn: (row) => laneOf(row, plan) === lane, window: windowRows(plan) } : WHOLE

/** Cuts rows into batches of up to `size()` rows, however the stream is chunked. */
export async function* inBatches(
  items: AsyncIterable<CsvRow | EmptyLines>,
  from: CsvPosition,
  size: () => number,
  { isOwn, window }: Share = WHOLE,
): AsyncGenerator<Portion> {
  let rows: CsvRow[] = []
  let [start, next] = [from, from]
  for await (const item of items) {
    if (!('isEmpty' in item) && isOwn(item)) rows.push(item)
    next = item.next
    const isWindowOver = rows.length > 0 && (next.row - 1) % window === 0
    if (isWindowOver || rows.length >= size() || next.offset - start.offset >= BATCH_BYTES) {
      yield { rows, next }
      rows = []
      start = next
    }
  }
  if (rows.length > 0) yield { rows, next }
}

/** The first row that no batch from this position contains. */
const endOfBatch = ({ row }: CsvPosition, { lane, plan }: Upload): number => row + (plan && lane > 0 ? windowRows(plan) : BATCH)

interface Work {
  readonly reader: RowReader
  readonly dialect: CsvDialect
  /** The file from the end of the counted rows. */
  readonly stream: AsyncIterable<Uint8Array>
  /** Whether rows that are not counted may have been handled before. */
  readonly isRepeat: boolean
  /** Whether rows are handled one by one, to find the row that makes their batch fail. */
  readonly isCareful: boolean
  /** Milliseconds left of the function's time. */
  readonly remaining: () => number
  readonly writer: LeadWriter
}

interface CountedRows {
  /** The upload after the batch. */
  readonly upload: Upload
  readonly milliseconds: number
  /** Whether an interrupted run may have handled the next rows already. */
  readonly isRepeat: boolean
}

interface Turn {
  /** Whether an earlier run may have stored a piece of the report from the same first row on. */
  readonly mayHavePiece: boolean
  /** Whether an earlier run may have handled the rows. */
  readonly isRepeat: boolean
  /** Whether it is one row of a batch that failed. */
  readonly isAlone: boolean
}

/** Handles and counts one batch. @returns undefined when another run has the lease */
const count = async (
  upload: Upload,
  { rows, next }: Portion,
  { reader, remaining, writer }: Work,
  { mayHavePiece, isRepeat, isAlone }: Turn,
): Promise<Upload | undefined> => {
  const giveUpAt = realNow() + Math.min(upload.lease_until - now() - SECOND, remaining() - 2 * SECOND)
  const take = isAlone ? takeAlone : takeRows
  const of = { upload: upload.upload_id, lane: upload.lane, isRepeat }
  const results = await take(reader, { ...of, rows, giveUpAt, writer })
  const { counts } = results
  checkTimeLeft(giveUpAt)
  // In a repeat, rows that were rejected the first time may be accepted: overwrite the stored list, even with an empty one.
  const first = rows[0]?.at.row
  if (first !== undefined && (upload.dry_run || counts.rejected > 0 || mayHavePiece)) await storePiece(upload, first, results)
  const counted = await countRows(upload, next, results, now())
  if (counted && !upload.dry_run) {
    measure('rows_ingested', rows.length - counts.rejected)
    measure('rows_rejected', counts.rejected)
  }
  return counted
}

/** Handles the rows of a file and yields the progress after each batch. Yields undefined, and stops, when another run has the lease. */
export async function* countedRows(upload: Upload, work: Work): AsyncGenerator<CountedRows | undefined, void, undefined> {
  let counted: Upload | undefined = upload
  let mayHavePiece = work.isRepeat
  const from = upload.counted_to ?? work.dialect.start
  // The batch that an earlier run did not count ends here at the latest.
  const repeated = work.isRepeat ? endOfBatch(from, upload) : from.row
  let size = work.isCareful ? 1 : firstBatch(upload.passing)
  for await (const batch of inBatches(rowsFrom(work.stream, work.dialect, from), from, () => size, shareOf(upload))) {
    const began = realNow()
    const isRepeat = (counted.counted_to ?? from).row < repeated
    const isAlone = work.isCareful && isRepeat
    counted = await count(counted, batch, work, { mayHavePiece, isRepeat, isAlone })
    const milliseconds = realNow() - began
    const hasMoreRepeats = batch.next.row < repeated
    yield counted && { upload: counted, milliseconds, isRepeat: hasMoreRepeats }
    if (!counted) return
    mayHavePiece = false
    size = work.isCareful && hasMoreRepeats ? 1 : nextBatch(size, milliseconds)
  }
}
