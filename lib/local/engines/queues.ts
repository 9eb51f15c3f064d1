import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createSqsServer } from 'local-aws-sqs'
import type { QueueSpec } from '../model.ts'
import { CREDENTIALS, type Engine, LOOPBACK, REGION } from './engine.ts'
import { closeServer, guardServer } from './http-server.ts'

export interface QueueEngine extends Engine {
  /** Creates the queues one after the other, in this order: a dead-letter queue must come before the queue that names it. */
  createQueues(queues: readonly QueueSpec[]): Promise<void>
}

/** Queues are in memory. A restart loses their messages, and the service sends them again from the table. */
export const startQueues = async (accountId: string): Promise<QueueEngine> => {
  const server = await createSqsServer({ port: 0, hostname: LOOPBACK, region: REGION, accountId, emulateQueueCreationLifecycle: false })
  guardServer(server)
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The queue engine has no address.')
  const url = `http://${LOOPBACK}:${address.port}`
  return { url, createQueues: (queues) => createAll(url, queues), stop: () => closeServer(server) }
}

const createAll = async (endpoint: string, queues: readonly QueueSpec[]): Promise<void> => {
  const client = new SQSClient({ endpoint, region: REGION, credentials: CREDENTIALS })
  try {
    for (const queue of queues) {
      const created = await client.send(new CreateQueueCommand({ QueueName: queue.name, Attributes: { ...queue.attributes } }))
      if (created.QueueUrl !== queue.url)
        throw new Error(`Queue ${queue.name} is at ${created.QueueUrl}, but the functions expect it at ${queue.url}.`)
    }
  } finally {
    client.destroy()
  }
}
