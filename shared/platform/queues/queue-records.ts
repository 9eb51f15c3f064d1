import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { loggable, logger } from '../logger.ts'

const client = new SQSClient({})

const Attributes = v.object({ ApproximateReceiveCount: v.string(), ApproximateFirstReceiveTimestamp: v.string() })

/** A received message: from the batch that started the run, or taken by the run itself. */
export interface QueueRecord extends Pick<SQSRecord, 'messageId' | 'receiptHandle' | 'body'> {
  readonly attributes: v.InferOutput<typeof Attributes>
}

const Message = v.pipe(
  v.object({ MessageId: v.string(), ReceiptHandle: v.string(), Body: v.optional(v.string(), ''), Attributes }),
  v.transform(
    ({ MessageId, ReceiptHandle, Body, Attributes }): QueueRecord => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: Attributes,
    }),
  ),
)

const MOST = 10

/** Up to ten messages, hidden from others for the queue's visibility timeout. None if the queue does not answer. */
export const takeRecords = async (queueUrl: string): Promise<QueueRecord[]> => {
  try {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: MOST, WaitTimeSeconds: 0, AttributeNames: ['All'] }),
    )
    return v.parse(v.array(Message), Messages)
  } catch (error) {
    logger.warn('No further messages could be received.', { error: loggable(error) })
    return []
  }
}

/** Deletes a handled message. If that fails, the message comes back and is handled again. */
export const dropRecord = async (queueUrl: string, { messageId, receiptHandle }: QueueRecord): Promise<void> => {
  try {
    await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle }))
  } catch (error) {
    logger.warn('A handled message could not be deleted and will return.', { message_id: messageId, error: loggable(error) })
  }
}
