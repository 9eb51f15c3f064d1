import type { Chance } from '../../lateness/chance.ts'
import type { VirtualQueue } from '../../lateness/queue.ts'
import type { VirtualTime } from '../../lateness/virtual-time.ts'
import type { Bucket, BucketCommand } from './bucket.ts'
import { KEY_MS, PARSE_MS, processorIn, ROW_MS } from './processor.ts'
import type { Sandbox } from './sandboxes.ts'

/** Milliseconds of a request to the bucket and to a queue. */
const BUCKET_REQUEST = [20, 60] as const
const QUEUE_REQUEST = [4, 12] as const
const CHUNK = 64 * 1024

interface Parts {
  readonly time: VirtualTime
  readonly chance: Chance
  /** By the last part of their URL. Messages to other queues are ignored. */
  readonly queues: Readonly<Record<string, VirtualQueue>>
  readonly bucket: Bucket
  readonly bytesPerRow: number
}

interface QueueCommand {
  readonly input: {
    readonly QueueUrl: string
    readonly Entries?: readonly { readonly MessageBody: string; readonly MessageGroupId: string; readonly DelaySeconds?: number }[]
  }
}

/** How many keys a request reads in a batch. */
const keysIn = (input: object): number =>
  'RequestItems' in input
    ? Object.values(input.RequestItems as Record<string, { Keys?: unknown[] }>).flatMap(({ Keys = [] }) => Keys).length
    : 0

/** Connects a sandbox to a processor of its own, and to the simulated bucket and queue. Call it before time passes at the table. */
export const connect = (sandbox: Sandbox<unknown>, { time, chance, queues, bucket, bytesPerRow }: Parts): void => {
  const compute = processorIn(time)

  async function* read(key: string, bytes: Buffer): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK)
      if (key.startsWith('uploads/')) await compute((chunk.length / bytesPerRow) * PARSE_MS)
      yield chunk
    }
  }

  sandbox.client.middlewareStack.add(
    (next, context) => async (args) => {
      await compute(context['commandName'] === 'TransactWriteItemsCommand' ? ROW_MS : KEY_MS * Math.max(1, keysIn(args.input)))
      return next(args)
    },
    { step: 'initialize', priority: 'high', name: 'processor' },
  )
  sandbox.S3Client.prototype.send = async (command: BucketCommand) => {
    await time.sleep(chance.between(...BUCKET_REQUEST))
    return bucket.answer(command, read)
  }
  sandbox.SQSClient.prototype.send = async ({ input: { QueueUrl, Entries = [] } }: QueueCommand) => {
    await time.sleep(chance.between(...QUEUE_REQUEST))
    const queue = queues[QueueUrl.replace(/^.*\//, '')]
    for (const { MessageBody, MessageGroupId, DelaySeconds = 0 } of Entries) queue?.send(MessageBody, MessageGroupId, DelaySeconds)
    return {}
  }
  sandbox.SecretsManagerClient.prototype.send = async () => ({ SecretString: 'a key for hashes' })
}
