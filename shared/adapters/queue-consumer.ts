import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { loggable, logger } from './logger.ts'
import { tellFailures } from './metrics.ts'
import { logRun } from './run-log.ts'

/** Thrown where nothing is wrong and the message is to be handled once more. */
export class ComeBack extends Error {
  override readonly name = 'ComeBack'
}

const note = (messageId: string, error: unknown): void => {
  if (error instanceof ComeBack) logger.info('A message will come back.', { message_id: messageId, reason: error.message })
  else logger.error('A message failed and will come back.', { message_id: messageId, error: loggable(error) })
}

/**
 * A function that handles the messages of a queue, those of a batch at the same time and each by itself: the ones that
 * failed, and only they, come back. A body that is not of the schema fails too, and ends among the dead letters.
 */
export const consume = <S extends v.GenericSchema, C extends Partial<Context> = Partial<Context>>(
  schema: S,
  handle: (message: v.InferOutput<S>, record: SQSRecord, context: C | undefined) => Promise<void>,
) => {
  const body = v.pipe(v.string(), v.parseJson(), schema)
  return (event: SQSEvent, context?: C): Promise<SQSBatchResponse> => {
    const failures: unknown[] = []
    const handleRecord = async (record: SQSRecord): Promise<void> => {
      try {
        await handle(v.parse(body, record.body), record, context)
      } catch (error) {
        note(record.messageId, error)
        if (!(error instanceof ComeBack)) failures.push(error)
        throw error
      }
    }
    const handleAll = async () => {
      const processor = new BatchProcessor(EventType.SQS)
      const answer = await processPartialResponse(event, handleRecord, processor, { throwOnFullBatchFailure: false })
      tellFailures(context?.functionName, failures.length)
      return answer
    }
    return logRun(context, handleAll, { records: event.Records.length, failed: ({ batchItemFailures }) => batchItemFailures.length })
  }
}
