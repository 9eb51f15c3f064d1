import { setting } from '#shared/platform/environment.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import type { QueueRecord } from '#shared/platform/queues/queue-records.ts'
import { returnIn } from '#shared/platform/queues/queues.ts'

/** Seconds until an interrupted message is handled again: well within the time in which an agent may be asked. */
const SOON = 10

/** If this fails, the message still comes back after the queue's visibility timeout. */
const askBackSoon = async ({ receiptHandle, messageId }: QueueRecord): Promise<void> => {
  try {
    await returnIn(setting('CALL_QUEUE_URL'), receiptHandle, SOON)
  } catch (error) {
    logger.warn('A message cut short would come back late.', { message_id: messageId, error: loggable(error) })
  }
}

/**
 * Handles a message so that every interruption (an unclear answer, a crash, a timeout) brings it back in seconds. All of them take the same
 * path, with the same idempotency key.
 */
export const retrySoon = async (record: QueueRecord, handle: () => Promise<boolean>): Promise<void> => {
  // Before anything else: a written intent that is then forgotten costs its lead the attempt.
  await askBackSoon(record)
  if (!(await handle())) throw new RetryMessage('The agent has not confirmed the call yet.')
}
