import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import * as v from 'valibot'
import { fitsBus, publish } from '#shared/events/bus.ts'
import { eventsOf, StreamRecord } from '#shared/events/changes.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { setting } from '#shared/platform/environment.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { measure } from '#shared/platform/metrics.ts'
import { readOrGiveUp } from '#shared/platform/queues/stream-letters.ts'
import { logRun } from '#shared/platform/run-log.ts'

/** Calls are measured here, because every change passes here, whichever function made it. */
const measureCalls = (events: readonly LeadEvent[]): void => {
  for (const { trigger, event_time, lead, call } of events) {
    if (trigger === 'BEFORE_CALLING') {
      measure('calls_started')
      // The lead before the dial, with its call still due.
      if (lead?.next_call_time != null) measure('call_lateness', event_time - lead.next_call_time)
    }
    if (trigger === 'CALL_COMPLETE' && call?.outcome) measure(`calls_${call.outcome}`)
    if (trigger === 'CALL_FAILED') measure('calls_FAILED')
  }
}

/** The events of a record. Undefined when it cannot be read, or when an event is too large for the bus. */
const read = (record: DynamoDBRecord): LeadEvent[] | undefined => {
  const sequence = record.dynamodb?.SequenceNumber
  try {
    const events = eventsOf(v.parse(StreamRecord, record))
    if (events.every(fitsBus)) return events
    logger.error('A change is too large for an event: it goes to the dead letters.', { sequence })
  } catch (error) {
    logger.error('A change cannot be published: it goes to the dead letters.', { sequence, error: loggable(error) })
  }
  return undefined
}

/** @returns the number of records that could not be published */
const publishRecords = async (records: readonly DynamoDBRecord[]): Promise<number> => {
  const { found, givenUp } = await readOrGiveUp(records, read, setting('GIVEN_UP_QUEUE_URL'))
  const events = found.flat()
  await publish(events)
  measureCalls(events)
  return givenUp
}

/**
 * Publishes the events of the table's changes, in their order. When the bus or the dead-letter queue cannot be reached, all of them are
 * published again, with the same ids.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent, context?: Partial<Context>): Promise<void> => {
  await logRun(context, () => publishRecords(Records), { records: Records.length, failed: (unpublished) => unpublished })
}
