import {
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { REGION } from '../engines/engine.ts'
import type { EventSourceSpec, Invoke, QueueSpec } from '../model.ts'
import { failedIdentifiers } from './batch-response.ts'
import { compilePatterns } from './pattern.ts'
import { type Log, pause } from './pause.ts'

/** A queue message as a function receives it in `Records`. */
interface LocalQueueRecord {
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

const queueRecordOf = (message: Message, queueArn: string): LocalQueueRecord => {
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
const filteredForm = (record: LocalQueueRecord): unknown => {
  try {
    return { ...record, body: JSON.parse(record.body) }
  } catch {
    return record
  }
}

/** The queue engine answers an empty poll after 40 ms. With this pause, a message waits at most about 100 ms. */
const IDLE_MS = 50
const AFTER_ERROR_MS = 500
const MOST_AT_ONCE = 10
const DEFAULT_CONCURRENCY = 10

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Runs one event source mapping of a queue. Resolves after the signal aborts and all running batches have ended. */
export const pollQueue = (mapping: EventSourceSpec, queue: QueueSpec, { sqs, invoke }: { sqs: SQSClient; invoke: Invoke }) => {
  const matches = compilePatterns(mapping.filterPatterns)
  const concurrency = mapping.maxConcurrency ?? DEFAULT_CONCURRENCY

  const receive = async (most: number): Promise<LocalQueueRecord[]> => {
    const names = { AttributeNames: ['All' as const], MessageAttributeNames: ['All'] }
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: Math.min(most, MOST_AT_ONCE), WaitTimeSeconds: 0, ...names }),
    )
    return Messages.map((message) => queueRecordOf(message, queue.arn))
  }

  /** With a batch window: collects one batch until it is full or the window ends. Without: takes the messages that are there now. */
  const gather = async (most: number, signal: AbortSignal): Promise<LocalQueueRecord[]> => {
    const records = await receive(most)
    const end = performance.now() + mapping.windowSeconds * 1000
    while (mapping.windowSeconds > 0 && records.length > 0 && records.length < most && performance.now() < end && !signal.aborted) {
      const more = await receive(most - records.length)
      records.push(...more)
      if (more.length === 0) await pause(IDLE_MS, signal)
    }
    return records
  }

  const remove = async (records: readonly LocalQueueRecord[]): Promise<void> => {
    for (const chunk of chunksOf(records, MOST_AT_ONCE)) {
      const Entries = chunk.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }))
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries }))
    }
  }

  const handle = async (records: readonly LocalQueueRecord[], log: Log): Promise<void> => {
    const wanted = records.filter((record) => matches(filteredForm(record)))
    await remove(records.filter((record) => !wanted.includes(record)))
    if (wanted.length === 0) return

    const result = await invoke(mapping.functionName, { Records: wanted })
    if (!result.ok) {
      log(
        `${mapping.functionName}: ${result.errorType}: ${result.message}; ${wanted.length} messages return after their visibility timeout`,
      )
      return
    }
    const ids = wanted.map((record) => record.messageId)
    const failed = mapping.reportBatchItemFailures ? failedIdentifiers(result.payload, ids) : new Set<string>()
    if (failed === undefined)
      log(`${mapping.functionName}: its answer is not a partial batch response, so the whole batch counts as failed`)
    else await remove(wanted.filter((record) => !failed.has(record.messageId)))
  }

  return async ({ signal, log }: { signal: AbortSignal; log: Log }): Promise<void> => {
    const running = new Set<Promise<void>>()
    const begin = (batch: readonly LocalQueueRecord[]) => {
      const run = handle(batch, log)
        .catch((error: unknown) => log(`${queue.name}: ${String(error)}`))
        .finally(() => running.delete(run))
      running.add(run)
    }
    while (!signal.aborted) {
      const free = concurrency - running.size
      if (free <= 0) {
        await Promise.race(running)
        continue
      }
      const most = mapping.windowSeconds > 0 ? mapping.batchSize : Math.min(mapping.batchSize * free, MOST_AT_ONCE)
      try {
        const records = await gather(most, signal)
        for (const batch of chunksOf(records, mapping.batchSize)) begin(batch)
        if (records.length < most) await pause(IDLE_MS, signal)
      } catch (error) {
        if (!signal.aborted) log(`${queue.name}: ${String(error)}`)
        await pause(AFTER_ERROR_MS, signal)
      }
    }
    await Promise.all(running)
  }
}
