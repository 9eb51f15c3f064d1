import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { createSqsServer } from 'local-aws-sqs'
import { freePort } from './engine.ts'

export interface QueueEngine {
  readonly url: string
  /** Receives the visible messages of the queue whose URL this environment variable holds. */
  take(variable: string): Promise<string[]>
  /** Replaces the queue by an empty one. Delayed messages go with the old one, so that they do not reach the next test. */
  renew(variable: string): Promise<void>
  /** Number of delayed messages. */
  delayed(variable: string): Promise<number>
  stop(): Promise<void>
}

/** Starts an SQS engine with one queue per variable, and points the environment of this process to them. */
export const startQueueEngine = async (variables: readonly string[]): Promise<QueueEngine> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await createSqsServer({ port, hostname: '127.0.0.1' })
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const client = new SQSClient({ endpoint: url, region: 'us-east-1', credentials })
  process.env['AWS_ENDPOINT_URL_SQS'] = url
  let renewed = 0
  const make = async (variable: string, suffix = ''): Promise<void> => {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: `${variable.toLowerCase()}${suffix}` }))
    process.env[variable] = QueueUrl
  }
  for (const variable of variables) await make(variable)
  const queueOf = (variable: string) => process.env[variable]!
  /** Numbers of messages. The engine counts hidden messages among the others. */
  const counts = async (variable: string) => {
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl: queueOf(variable), AttributeNames: ['All'] }))
    const count = (name: '' | 'NotVisible' | 'Delayed'): number => Number(Attributes?.[`ApproximateNumberOfMessages${name}`])
    return { visible: count('') - count('NotVisible'), delayed: count('Delayed') }
  }
  return {
    url,
    take: async (variable) => {
      const bodies: string[] = []
      for (;;) {
        // The engine's timer makes a new message visible after 1 ms. This timer of the same process fires after it.
        await sleep(2)
        const { visible } = await counts(variable)
        // A receive would wait 40 ms before it finds nothing.
        if (visible === 0) return bodies
        const wanted = { QueueUrl: queueOf(variable), MaxNumberOfMessages: Math.min(10, visible) }
        // On a busy machine, the 40 ms may be over before the engine has looked: then it finds nothing, although messages are visible.
        const { Messages = [] } = await client.send(new ReceiveMessageCommand(wanted))
        if (Messages.length === 0) continue
        bodies.push(...Messages.map(({ Body }) => Body!))
        const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }))
        await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueOf(variable), Entries }))
      }
    },
    renew: async (variable) => {
      await client.send(new DeleteQueueCommand({ QueueUrl: queueOf(variable) }))
      await make(variable, `-${++renewed}`)
    },
    delayed: async (variable) => (await counts(variable)).delayed,
    stop: async () => {
      client.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
