import { CreateQueueCommand, DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createSqsServer } from 'local-aws-sqs'
import { freePort } from './engine.ts'

export interface QueueEngine {
  readonly url: string
  /** Receives the visible messages of the queue whose URL this environment variable holds. */
  take(variable: string): Promise<string[]>
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
  for (const variable of variables) {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: variable.toLowerCase() }))
    process.env[variable] = QueueUrl
  }
  const queueOf = (variable: string) => process.env[variable]!
  return {
    url,
    take: async (variable) => {
      const bodies: string[] = []
      for (;;) {
        const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: queueOf(variable), MaxNumberOfMessages: 10 }))
        if (Messages.length === 0) return bodies
        for (const { Body, ReceiptHandle } of Messages) {
          bodies.push(Body!)
          await client.send(new DeleteMessageCommand({ QueueUrl: queueOf(variable), ReceiptHandle }))
        }
      }
    },
    delayed: async (variable) => {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: queueOf(variable), AttributeNames: ['ApproximateNumberOfMessagesDelayed'] }),
      )
      return Number(Attributes?.['ApproximateNumberOfMessagesDelayed'])
    },
    stop: async () => {
      client.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
