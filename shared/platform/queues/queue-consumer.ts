import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { loggable, logger } from '../logger.ts'
import { tellFailures } from '../metrics.ts'
import { logRun } from '../run-log.ts'
import { dropRecord, type QueueRecord } from './queue-records.ts'
import { type FurtherWork, workOn } from './working-on.ts'

/** Thrown when nothing is wrong, but the message must be handled again. */
export class RetryMessage extends Error {
  override readonly name = 'RetryMessage'
}

const note = (messageId: string, error: unknown): void => {
  if (error instanceof RetryMessage) logger.info('A message will come back.', { message_id: messageId, reason: error.message })
  else logger.error('A message failed and will come back.', { message_id: messageId, error: loggable(error) })
}

/** While slow messages run, a run takes further messages from the queue of its batch. */
export interface Further extends FurtherWork<QueueRecord> {
  readonly queueUrl: string
}

/** For messages that all take about the same time. */
const NOTHING_FURTHER = { slowAfter: 0, mostSlow: 0, leastTime: Number.POSITIVE_INFINITY, take: async () => [] }

/**
 * A function that handles a queue's messages. The messages of a batch run concurrently, and only failed ones come back. A body that does
 * not match the schema fails too, and becomes a dead letter.
 * @param furtherOf how a run takes further messages from the queue with this ARN while it waits for slow ones; undefined: it takes none
 */
export const consume = <S extends v.GenericSchema, C extends Partial<Context> = Partial<Context>>(
  schema: S,
  handle: (message: v.InferOutput<S>, record: QueueRecord, context: C | undefined) => Promise<void>,
  furtherOf: (arn: string) => Further | undefined = () => undefined,
) => {
  const body = v.pipe(v.string(), v.parseJson(), schema)
  return (event: SQSEvent, context?: C): Promise<SQSBatchResponse> => {
    const failed = new Set<string>()
    let failures = 0
    const isHandled = async (record: QueueRecord): Promise<boolean> => {
      try {
        await handle(v.parse(body, record.body), record, context)
        return true
      } catch (error) {
        note(record.messageId, error)
        if (!(error instanceof RetryMessage)) failures++
        return false
      }
    }
    const further = furtherOf(event.Records[0]?.eventSourceARN ?? '')
    const handleRecord = async (record: QueueRecord, isFurther: boolean): Promise<void> => {
      const isDone = await isHandled(record)
      if (further && isFurther && isDone) await dropRecord(further.queueUrl, record)
      if (!isFurther && !isDone) failed.add(record.messageId)
    }
    const handleAll = async (): Promise<SQSBatchResponse> => {
      const timeLeft = () => context?.getRemainingTimeInMillis?.() ?? Number.MAX_SAFE_INTEGER
      const taken = await workOn<QueueRecord>(event.Records, handleRecord, further ?? NOTHING_FURTHER, timeLeft)
      if (taken > 0) logger.info('Further messages were handled while slow ones ran on.', { records: taken })
      tellFailures(context?.functionName, failures)
      const isFailed = ({ messageId }: SQSRecord) => failed.has(messageId)
      return { batchItemFailures: event.Records.filter(isFailed).map(({ messageId }) => ({ itemIdentifier: messageId })) }
    }
    return logRun(context, handleAll, { records: event.Records.length, failed: ({ batchItemFailures }) => batchItemFailures.length })
  }
}
