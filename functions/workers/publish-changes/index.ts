import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import * as v from 'valibot'
import { fitsBus, publish } from '#shared/events/bus.ts'
import { StreamRecord } from '#shared/events/changes.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { setting } from '#shared/platform/environment.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { send } from '#shared/platform/queues/queues.ts'
import { logRun } from '#shared/platform/run-log.ts'
import { eventsOf } from './events.ts'
import { measureCalls } from './measure.ts'

/** The events of a record. Undefined when it cannot be read, or when an event is too large for the bus. */
const read = (record: DynamoDBRecord): LeadEvent[] | undefined => {
  const sequence = record.dynamodb?.SequenceNumber
  try {
    const events = eventsOf(v.parse(StreamRecord, record))
    if (events.every(fitsBus)) return events
    logger.error('A change is too large to be told: it goes to the dead letters.', { sequence })
  } catch (error) {
    logger.error('A change cannot be told: it goes to the dead letters.', { sequence, error: loggable(error) })
  }
  return undefined
}

/** The dead letter of a change: where the change is found, without its content. */
const letterOf = ({ eventID, dynamodb }: DynamoDBRecord) => ({ eventID, sequence: dynamodb?.SequenceNumber, keys: dynamodb?.Keys })

/** @returns the number of records that could not be published */
const tell = async (records: readonly DynamoDBRecord[]): Promise<number> => {
  const told = records.map((record) => ({ record, events: read(record) }))
  const untold = told.filter(({ events }) => !events).map(({ record }) => ({ body: letterOf(record), group: 'untold' }))
  if (untold.length > 0) await send(setting('GIVEN_UP_QUEUE_URL'), untold)
  const events = told.flatMap((change) => change.events ?? [])
  await publish(events)
  measureCalls(events)
  return untold.length
}

/**
 * Publishes the events of the table's changes, in their order. When the bus or the dead-letter queue cannot be reached, all of them are
 * published again, with the same ids.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent, context?: Partial<Context>): Promise<void> => {
  await logRun(context, () => tell(Records), { records: Records.length, failed: (untold) => untold })
}
