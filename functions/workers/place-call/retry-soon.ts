import { setting } from '#shared/platform/environment.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import type { QueueRecord } from '#shared/platform/queues/queue-records.ts'
import { returnIn } from '#shared/platform/queues/queues.ts'

/** Seconds after which a message that was cut short is handled again: well within the time in which an agent may be asked. */
const SOON = 10

/** Without it the message comes back all the same, after the queue's visibility time-out. */
const askBackSoon = async ({ receiptHandle, messageId }: QueueRecord): Promise<void> => {
  try {
    await returnIn(setting('CALL_QUEUE_URL'), receiptHandle, SOON)
  } catch (error) {
    logger.warn('A message cut short would come back late.', { message_id: messageId, error: loggable(error) })
  }
}

/**
 * Handles a message so that whatever interrupts it – an unclear answer, a crash, a time-out – brings it back in seconds: the
 * same path for all of them, and the same idempotency key.
 */
export const retrySoon = async (record: QueueRecord, handle: () => Promise<boolean>): Promise<void> => {
  // Before anything else: an intent that is written and then forgotten costs its lead the attempt.
  await askBackSoon(record)
  if (!(await handle())) throw new RetryMessage('The agent has not confirmed the call yet.')
}
