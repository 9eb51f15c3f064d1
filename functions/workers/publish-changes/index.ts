import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import * as v from 'valibot'
import { publish } from '#shared/adapters/bus.ts'
import { logger } from '#shared/adapters/logger.ts'
import type { LeadEvent } from '#shared/schema/events.ts'
import { StreamRecord } from '#shared/storage/changes.ts'
import { eventsOf } from './events.ts'

const SequenceOnly = v.object({ dynamodb: v.object({ SequenceNumber: v.string() }) })

/**
 * Tells the bus what the table's changes mean, in their order. A record that cannot be read holds up those behind it until it
 * goes to the dead-letter queue; the events before it are out.
 */
export const handler = async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const events: LeadEvent[] = []
  const failures: { itemIdentifier: string }[] = []
  for (const record of event.Records) {
    try {
      events.push(...eventsOf(v.parse(StreamRecord, record)))
    } catch (error) {
      const { SequenceNumber } = v.parse(SequenceOnly, record).dynamodb
      logger.error('A change cannot be told.', { sequence: SequenceNumber, error })
      failures.push({ itemIdentifier: SequenceNumber })
      break
    }
  }
  await publish(events)
  return { batchItemFailures: failures }
}
