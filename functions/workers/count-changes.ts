import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { setting } from '#shared/platform/environment.ts'
import { CALL_PREFIX } from '#shared/platform/keys.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { readOrGiveUp } from '#shared/platform/queues/stream-letters.ts'
import { logRun } from '#shared/platform/run-log.ts'
import { countRecords } from '#shared/statistics/count.ts'
import { type CountedRecord, countedRecord } from '#shared/statistics/rules/stream-record.ts'

/** The changes of numbers that a record causes. Undefined when it cannot be read. */
const read = (record: DynamoDBRecord): CountedRecord | undefined => {
  try {
    return countedRecord(record, CALL_PREFIX)
  } catch (error) {
    const sequence = record.dynamodb?.SequenceNumber
    logger.error('A change cannot be counted: it goes to the dead letters.', { sequence, error: loggable(error) })
    return undefined
  }
}

/** @returns the number of records that could not be counted */
const countChanges = async (records: readonly DynamoDBRecord[]): Promise<number> => {
  const { found, givenUp } = await readOrGiveUp(records, read, setting('UNCOUNTED_QUEUE_URL'))
  await countRecords(found)
  return givenUp
}

/** Counts the table's changes for the statistics. When the table cannot be reached, all of them are delivered again, and counted once. */
export const handler = async ({ Records }: DynamoDBStreamEvent, context?: Partial<Context>): Promise<void> => {
  await logRun(context, () => countChanges(Records), { records: Records.length, failed: (uncounted) => uncounted })
}
