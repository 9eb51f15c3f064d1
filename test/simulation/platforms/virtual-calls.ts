import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { now } from '#shared/platform/clock.ts'
import { SECOND } from '#shared/platform/values/durations.ts'

/** Seconds for which a received message is hidden, unless its consumer changes that. */
const VISIBILITY = 60
/** Most deliveries of one message. */
const MOST_RECEIVES = 12

export interface CallMessage {
  readonly body: string
  /** When it becomes visible, by the service's clock. */
  visible: number
  receives: number
}

/** The call queue, by the service's clock. It replaces the queues of the process. */
export interface VirtualCalls {
  /** Takes the visible messages from the queue. */
  take(): CallMessage[]
  /** Has a run of the function handle messages. @returns those that it did not finish */
  consume(messages: readonly CallMessage[]): Promise<CallMessage[]>
  /** Puts messages back that were not finished. They come back when their time of hiding is over. */
  putBack(messages: readonly CallMessage[]): void
  /** When the next message becomes visible. */
  next(): number
  clear(): void
  stop(): void
}

export const startVirtualCalls = (): VirtualCalls => {
  let waiting: CallMessage[] = []
  const received = new Map<string, CallMessage>()
  let receipts = 0

  const sqs = mockClient(SQSClient)
  sqs.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries = [] }) => {
    const isCalls = QueueUrl === process.env['CALL_QUEUE_URL']
    for (const { MessageBody, DelaySeconds = 0 } of isCalls ? Entries : []) {
      waiting.push({ body: MessageBody, visible: now() + DelaySeconds * SECOND, receives: 0 })
    }
    return { Successful: [] }
  })
  sqs.on(ChangeMessageVisibilityCommand).callsFake(({ ReceiptHandle, VisibilityTimeout }) => {
    const message = received.get(ReceiptHandle)
    if (message) message.visible = now() + VisibilityTimeout * SECOND
    return {}
  })

  return {
    take: () => {
      // The mock remembers every request.
      sqs.resetHistory()
      const visible = waiting.filter((message) => message.visible <= now())
      waiting = waiting.filter((message) => message.visible > now())
      for (const message of visible) Object.assign(message, { visible: now() + VISIBILITY * SECOND, receives: message.receives + 1 })
      return visible
    },
    consume: async (messages) => {
      const byReceipt = new Map<string, CallMessage>(messages.map((message) => [`${++receipts}`, message]))
      for (const [receipt, message] of byReceipt) received.set(receipt, message)
      const Records = [...byReceipt].map(([receipt, { body }]) => ({ messageId: receipt, receiptHandle: receipt, body }))
      const { batchItemFailures } = await placeCall({ Records } as SQSEvent)
      const failed = batchItemFailures.flatMap(({ itemIdentifier }) => byReceipt.get(itemIdentifier) ?? [])
      for (const receipt of byReceipt.keys()) received.delete(receipt)
      return failed
    },
    putBack: (messages) => {
      waiting.push(...messages.filter(({ receives }) => receives < MOST_RECEIVES))
    },
    next: () => Math.min(...waiting.map(({ visible }) => visible)),
    clear: () => {
      waiting = []
    },
    stop: () => sqs.restore(),
  }
}
