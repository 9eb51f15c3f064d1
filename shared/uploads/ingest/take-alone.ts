import type { FollowUp } from '../../leads/update-plan.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { isPassing } from './is-passing.ts'
import type { RowReader } from './read-row.ts'
import { REASON_IN_LOG } from './reason-in-log.ts'
import { type Batch, type RowResults, takeRows } from './take-rows.ts'

/** How often a row is tried alone, after its batch has failed repeatedly. */
const TRIES_ALONE = 2
const MESSAGE = `This row could not be handled, ${REASON_IN_LOG} The rest of the file goes on without it.`

/** A written row counts as written. Only a transient error of the follow-up work is worth a repeat. */
const followIfCan =
  ({ upload, rows }: Batch): FollowUp =>
  async (work) => {
    try {
      await work()
    } catch (error) {
      if (isPassing(error)) throw error
      logger.error('A row was written, and what follows failed.', { upload, row: rows[0]?.at.row, error: loggable(error) })
    }
  }

/** Like `takeRows` with a batch of one row. Rejects the row when it keeps failing before it is written. */
export const takeAlone = async (reader: RowReader, batch: Batch): Promise<RowResults> => {
  const follow = followIfCan(batch)
  for (let tries = 1; ; tries++) {
    try {
      return await takeRows(reader, { ...batch, follow })
    } catch (error) {
      if (isPassing(error)) throw error
      if (tries < TRIES_ALONE) continue
      const at = batch.rows.map((row) => row.at)
      logger.error('A row is rejected because it keeps failing.', { upload: batch.upload, row: at[0]?.row, error: loggable(error) })
      return {
        counts: { created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: at.length, unhandled: at.length },
        rejected: at.map(({ row, line }) => ({ row, cells: [{ line, column: '', value: '', message: MESSAGE }] })),
      }
    }
  }
}
