import { marshall } from '@aws-sdk/util-dynamodb'
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { handler } from '#functions/workers/count-changes.ts'
import { streamRecordOf } from '#lib/local/events/stream-records.ts'
import { readRecords } from '#test/simulation/races/history.ts'

type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string }

const image = (item: Item) => marshall(item, { removeUndefinedValues: true })

let sequence = 0

/** A record of the table's stream, with an id of its own. */
export const streamRecord = (before: Item | undefined, after: Item | undefined): DynamoDBRecord => {
  sequence++
  const { pk, sk } = (after ?? before)!
  return {
    eventID: `record-${process.pid}-${sequence}`,
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys: marshall({ pk, sk }),
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  } as DynamoDBRecord
}

/** Delivers records to the function that counts, in one batch. */
export const countBatch = (records: readonly DynamoDBRecord[]): Promise<void> => {
  process.env['UNCOUNTED_QUEUE_URL'] ??= 'https://queue'
  return handler({ Records: [...records] } as DynamoDBStreamEvent)
}

/** The records of the table's stream, from a place on, as a function gets them. */
export const recordsFrom = async (url: string, place = 0): Promise<DynamoDBRecord[]> =>
  (await readRecords(url)).slice(place).map((record) => streamRecordOf(record, 'stream', 'arn') as DynamoDBRecord)
