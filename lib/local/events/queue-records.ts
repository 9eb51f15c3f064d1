import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs'
import { REGION } from '../engines/access.ts'

/** A queue message as a function receives it in `Records`. */
export interface LocalQueueRecord {
  readonly messageId: string
  readonly receiptHandle: string
  readonly body: string
  readonly attributes: Readonly<Record<string, string>>
  readonly messageAttributes: Readonly<Record<string, unknown>>
  readonly md5OfBody: string
  readonly eventSource: 'aws:sqs'
  readonly eventSourceARN: string
  readonly awsRegion: string
}

const attributeOf = ({ StringValue, BinaryValue, DataType }: MessageAttributeValue) => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
})

export const queueRecordOf = (message: Message, queueArn: string): LocalQueueRecord => {
  const { MessageId, ReceiptHandle, Body, MD5OfBody } = message
  if (MessageId === undefined || ReceiptHandle === undefined) throw new Error(`a message of ${queueArn} has no id`)
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body ?? '',
    attributes: { ...message.Attributes },
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
    ),
    md5OfBody: MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  }
}

/** The form that filter patterns see: the record, with its body parsed if it is JSON. */
export const filteredForm = (record: LocalQueueRecord): unknown => {
  try {
    return { ...record, body: JSON.parse(record.body) }
  } catch {
    return record
  }
}
