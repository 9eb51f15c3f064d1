import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import * as v from 'valibot'
import { publish } from '#shared/adapters/bus.ts'
import { setting } from '#shared/adapters/environment.ts'
import { logger } from '#shared/adapters/logger.ts'
import { send } from '#shared/adapters/queues.ts'
import type { LeadEvent } from '#shared/schema/events.ts'
import { StreamRecord } from '#shared/storage/changes.ts'
import { eventsOf } from './events.ts'

const read = (record: DynamoDBRecord): LeadEvent[] | undefined => {
  try {
    return eventsOf(v.parse(StreamRecord, record))
  } catch (error) {
    logger.error('A change cannot be told: it goes to the dead letters.', { sequence: record.dynamodb?.SequenceNumber, error })
    return undefined
  }
}

/**
 * Tells the bus what the table's changes mean, in their order. When the bus or the dead letters cannot be reached, all of them
 * are told again, with the same ids.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const told = Records.map((record) => ({ record, events: read(record) }))
  const unreadable = told.filter(({ events }) => !events).map(({ record }) => ({ body: record, group: 'unreadable' }))
  if (unreadable.length > 0) await send(setting('GIVEN_UP_QUEUE_URL'), unreadable)
  await publish(told.flatMap(({ events }) => events ?? []))
}
