import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { pollQueue } from '#lib/local/events/queue-poller.ts'
import type { Invoke } from '#lib/local/model.ts'

/** Runs of each consumer at once. */
export interface Concurrency {
  readonly match: number
  readonly deliver: number
  readonly slow: number
}

type Handler = (event: SQSEvent) => Promise<SQSBatchResponse>

const BATCH = 10
const VISIBILITY_SECONDS = 120

const invoking =
  (handler: Handler): Invoke =>
  async (_, event) => {
    try {
      return { ok: true, payload: await handler(event as SQSEvent) }
    } catch (error) {
      return { ok: false, errorType: 'HandlerError', message: String(error) }
    }
  }

const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const

const countIn = async (sqs: SQSClient, url: string): Promise<number> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...COUNTS] }))
  return COUNTS.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0)
}

/**
 * Creates queues for events and deliveries, polled as the service's are, with the real handlers. Points the environment of this process to
 * them.
 */
export const startPipeline = async (sqs: SQSClient, name: string, concurrency: Concurrency, log: (line: string) => void) => {
  const [{ handler: match }, { handler: deliver }] = await Promise.all([
    import('#functions/workers/match-webhooks.ts'),
    import('#functions/workers/deliver-webhook.ts'),
  ])
  const stopping = new AbortController()
  const begin = async (queue: string, handler: Handler, maxConcurrency: number) => {
    const QueueName = `${name}-${queue}`
    const { QueueUrl: url = '' } = await sqs.send(
      new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: `${VISIBILITY_SECONDS}` } }),
    )
    const mapping = {
      functionName: queue,
      sourceArn: QueueName,
      batchSize: BATCH,
      windowSeconds: 0,
      reportBatchItemFailures: true,
      maxConcurrency,
      maxRetries: -1,
      bisectOnError: false,
      filterPatterns: [],
      onFailureArn: undefined,
    }
    const poll = pollQueue(mapping, { name: QueueName, arn: QueueName, url, attributes: {} }, { sqs, invoke: invoking(handler) })
    return { url, polling: poll({ signal: stopping.signal, log }) }
  }
  const events = await begin('events', match, concurrency.match)
  const fast = await begin('deliveries', deliver, concurrency.deliver)
  const slow = await begin('slow-deliveries', deliver, concurrency.slow)
  process.env['DELIVERY_QUEUE_URL'] = fast.url
  process.env['SLOW_DELIVERY_QUEUE_URL'] = slow.url
  return {
    /** Sends at most ten events to the queue that the bus fills. */
    tell: async (details: readonly unknown[]): Promise<void> => {
      const Entries = details.map((detail, index) => ({ Id: `${index}`, MessageBody: JSON.stringify({ detail }) }))
      await sqs.send(new SendMessageBatchCommand({ QueueUrl: events.url, Entries }))
    },
    /** Messages that wait or are being handled, without delayed ones. */
    backlog: async (): Promise<number> => {
      const counts = await Promise.all([events, fast, slow].map(({ url }) => countIn(sqs, url)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      await Promise.all([events.polling, fast.polling, slow.polling])
    },
  }
}
