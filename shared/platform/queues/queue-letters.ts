import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import type { Instant } from '../values/values.ts'

/** For the operator's tool: looks at the messages in queues, and moves or deletes them. */

const client = new SQSClient({})

const Message = v.pipe(
  v.object({
    MessageId: v.string(),
    ReceiptHandle: v.string(),
    Body: v.string(),
    Attributes: v.optional(v.object({ SentTimestamp: v.optional(v.string()), MessageGroupId: v.optional(v.string()) }), {}),
  }),
  v.transform(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
    id: MessageId,
    receipt: ReceiptHandle,
    body: Body,
    sent: Number(Attributes.SentTimestamp ?? 0),
    group: Attributes.MessageGroupId,
  })),
)

/** A message in a queue. */
export interface Letter {
  readonly id: string
  readonly receipt: string
  readonly body: string
  /** When it was first sent, by the queue's clock. */
  readonly sent: Instant
  readonly group?: string | undefined
}

const MOST = 10
/** Seconds that a request waits, so that SQS asks all of its servers. */
const PATIENCE = 1

/** Takes up to ten messages, and hides them for some seconds; with 0 they stay visible. Empty: the queue seems to have none. */
export const takeLetters = async (queueUrl: string, hiddenSeconds: number, most = MOST): Promise<Letter[]> => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(most, MOST),
      VisibilityTimeout: hiddenSeconds,
      WaitTimeSeconds: PATIENCE,
      AttributeNames: ['All'],
    }),
  )
  return v.parse(v.array(Message), Messages)
}

/** Sends a message on unchanged. */
export const sendLetter = async (queueUrl: string, { body, group }: Letter): Promise<void> => {
  await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, ...(group && { MessageGroupId: group }) }))
}

export const dropLetter = async (queueUrl: string, { receipt }: Letter): Promise<void> => {
  await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }))
}

/** Makes a taken message visible again at once. */
export const putLetterBack = async (queueUrl: string, { receipt }: Pick<Letter, 'receipt'>): Promise<void> => {
  await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt, VisibilityTimeout: 0 }))
}
