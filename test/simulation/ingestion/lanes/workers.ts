import type { SQSEvent } from 'aws-lambda'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { LANE_BYTES } from '#shared/uploads/rules/lanes.ts'
import { startConsumer } from '../../lateness/consumer.ts'
import type { VirtualQueue } from '../../lateness/queue.ts'
import type { Sandbox } from './sandboxes.ts'

/** The function that reads files. */
export type ReadFiles = typeof import('#functions/workers/ingest-csv.ts').handler

const RUN = 2 * MINUTE

/** Hands messages of the queue to sandboxes, as Lambda does. */
export const startWorkers = (
  sandboxes: readonly Sandbox<ReadFiles>[],
  { time, ...parts }: Omit<Parameters<typeof startConsumer>[0], 'run' | 'batchSize' | 'maxConcurrency'>,
) => {
  const idle = [...sandboxes]
  const run = async (event: SQSEvent) => {
    const sandbox = idle.pop()
    if (!sandbox) throw new Error('There are more runs than sandboxes.')
    const end = time.now() + RUN
    try {
      return await sandbox.handler(event, { getRemainingTimeInMillis: () => end - time.now() })
    } finally {
      idle.push(sandbox)
    }
  }
  startConsumer({ ...parts, time, batchSize: 1, maxConcurrency: sandboxes.length, run })
}

/** Sends the bucket's message about a file. The size in it decides how many workers read the file. */
export const sendFile = (queue: VirtualQueue, key: string, workers: number): void => {
  const object = { key, size: workers * LANE_BYTES, eTag: 'tag', sequencer: '1' }
  queue.send(JSON.stringify({ Records: [{ eventName: 'ObjectCreated:Put', s3: { object } }] }), '', 0)
}
