import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { allInLanes } from '../lanes.ts'
import { UnavailableError } from '../transient-errors.ts'

/**
 * Characters that JSON leaves unescaped and queues refuse, because they accept only the characters of XML. A lead's metadata may hold any.
 */
const REFUSED = /[\ufffe\uffff]/g

/** JSON that queues accept, whatever the value holds. */
export const queueJson = (value: unknown): string =>
  JSON.stringify(value).replace(REFUSED, (character) => `\\u${character.charCodeAt(0).toString(16)}`)

const client = new SQSClient({})

/** A message to send. Groups share the queue fairly; the group is usually the owner. `delaySeconds`: 0 to 900. */
export interface Outgoing {
  readonly body: unknown
  readonly group: string
  readonly delaySeconds?: number
}

const BATCH = 10

const sendBatch = async (queueUrl: string, batch: readonly Outgoing[]): Promise<void> => {
  const Entries = batch.map((message, index) => ({
    Id: `${index}`,
    MessageBody: queueJson(message.body),
    MessageGroupId: message.group,
    DelaySeconds: message.delaySeconds ?? 0,
  }))
  const { Failed } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
  const [failure] = Failed ?? []
  const untaken = `${Failed?.length} of ${Entries.length} messages`
  if (failure) throw new UnavailableError(`The queue did not accept ${untaken}: ${failure.Message ?? failure.Code}`)
}

/** Requests at once. The leads of an owner with 10,000 lines need 1,000 requests, and a run that sends them lasts 22 seconds at most. */
const LANES = 10

/** @throws the first failure when the queue did not accept all messages; all of them were tried */
export const send = async (queueUrl: string, messages: readonly Outgoing[]): Promise<void> => {
  const count = Math.ceil(messages.length / BATCH)
  const batches = Array.from({ length: count }, (_, batch) => messages.slice(batch * BATCH, (batch + 1) * BATCH))
  await allInLanes(LANES, batches, (batch) => sendBatch(queueUrl, batch))
}

/** SQS refuses the change for a message that another run has deleted, or that has come back already. */
const isNoLongerHeld = ({ name, message }: Error): boolean =>
  name === 'ReceiptHandleIsInvalid' ||
  name === 'MessageNotInflight' ||
  (name.startsWith('InvalidParameterValue') && /receipt ?handle/i.test(message))

/** Makes a message that is being handled come back in `seconds`, unless it is deleted before. */
export const returnIn = async (queueUrl: string, receiptHandle: string, seconds: number): Promise<void> => {
  try {
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds }))
  } catch (error) {
    if (!(error instanceof Error && isNoLongerHeld(error))) throw error
  }
}
