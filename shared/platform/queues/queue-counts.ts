import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs'
import { setting } from '../environment.ts'
import { inLanes } from '../lanes.ts'

const client = new SQSClient({})

const COUNTS = {
  waiting: 'ApproximateNumberOfMessages',
  in_flight: 'ApproximateNumberOfMessagesNotVisible',
  delayed: 'ApproximateNumberOfMessagesDelayed',
} as const satisfies Record<string, QueueAttributeName>

/** Approximate numbers of messages, as the queue reports them. */
export interface QueueCounts {
  readonly waiting: number
  /** Being handled, or hidden after a failed try. */
  readonly in_flight: number
  readonly delayed: number
}

export const countMessages = async (queueUrl: string): Promise<QueueCounts> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: Object.values(COUNTS) }),
  )
  const count = (name: keyof typeof COUNTS): number => Number(Attributes[COUNTS[name]] ?? 0)
  return { waiting: count('waiting'), in_flight: count('in_flight'), delayed: count('delayed') }
}

export interface CountedQueue extends QueueCounts {
  readonly queue: string
  readonly dead_letters: number
}

const LANES = 5

/** Where there are only dead letters. */
const NONE: QueueCounts = { waiting: 0, in_flight: 0, delayed: 0 }

/** The messages of the queues that this function may count. */
export const countQueues = (): Promise<CountedQueue[]> =>
  inLanes(LANES, [...setting('COUNTED_QUEUES'), ...setting('COUNTED_EVENT_QUEUES')], async ([queue, url, deadLettersUrl]) => {
    const [counts, dead] = await Promise.all([url === '' ? NONE : countMessages(url), countMessages(deadLettersUrl)])
    return { queue, ...counts, dead_letters: dead.waiting + dead.in_flight + dead.delayed }
  })
