import { EventEmitter } from 'node:events'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { Chance } from './chance.ts'
import type { QueueMessage, VirtualQueue } from './queue.ts'
import type { VirtualTime } from './virtual-time.ts'

const CALLS = 'https://sqs.example.com/calls'
/** Milliseconds that a request to a queue takes. */
const QUEUE_REQUEST = [4, 12] as const

/** Sets the functions' environment. Must run before any function is loaded. */
export const setEnvironment = (): void => {
  Object.assign(process.env, {
    CALL_QUEUE_URL: CALLS,
    DELIVERY_QUEUE_URL: 'https://sqs.example.com/deliveries',
    UPDATE_QUEUE_URL: 'https://sqs.example.com/updates',
    PHONE_HASH_SECRET_ARN: 'phone-hash',
    PUBLIC_BASE_URL: 'https://leads.example.com',
    PLATFORM_BASE_URL: 'https://leads.example.com',
    PRIVATE_AGENT_HOSTS: '',
    CLOCK_OFFSET_MS: '0',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  })
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: 'a key for hashes' })
}

/** Sends the functions' queue requests to the simulated call queue, and ignores other queues. */
export const connectQueue = (queue: VirtualQueue, time: VirtualTime, chance: Chance): void => {
  const sqs = mockClient(SQSClient)
  sqs.on(SendMessageBatchCommand).callsFake(async ({ QueueUrl, Entries = [] }) => {
    await time.sleep(chance.between(...QUEUE_REQUEST))
    for (const { MessageBody, MessageGroupId, DelaySeconds } of QueueUrl === CALLS ? Entries : []) {
      queue.send(MessageBody, MessageGroupId, DelaySeconds ?? 0)
    }
    return { Successful: [] }
  })
  sqs.on(ChangeMessageVisibilityCommand).callsFake(async ({ ReceiptHandle, VisibilityTimeout }) => {
    await time.sleep(chance.between(...QUEUE_REQUEST))
    queue.hide(ReceiptHandle, VisibilityTimeout)
    return {}
  })
  const taken = new Map<string, QueueMessage>()
  sqs.on(ReceiveMessageCommand).callsFake(async ({ MaxNumberOfMessages = 1 }) => {
    await time.sleep(chance.between(...QUEUE_REQUEST))
    const Messages = queue.receive(MaxNumberOfMessages).map((message) => {
      taken.set(message.id, message)
      const Attributes = { ApproximateReceiveCount: `${message.receives}`, ApproximateFirstReceiveTimestamp: `${message.sent}` }
      return { MessageId: message.id, ReceiptHandle: message.id, Body: message.body, Attributes }
    })
    return { Messages }
  })
  sqs.on(DeleteMessageCommand).callsFake(async ({ ReceiptHandle }) => {
    await time.sleep(chance.between(...QUEUE_REQUEST))
    const message = taken.get(ReceiptHandle)
    if (message) queue.delete(message)
    taken.delete(ReceiptHandle)
    return {}
  })
  // The mock remembers every call, which would fill the memory.
  const forget = (): void => {
    sqs.resetHistory()
    time.at(time.now() + MINUTE, forget)
  }
  forget()
}

/** Answers a request with JSON. If it throws, the request fails. */
export type AgentAnswer = (url: URL, key: string, body: string) => Promise<unknown>

/** Sends the functions' HTTPS requests to the simulated agent. @param host sends only requests to this host, and the others as before */
export const connectAgent = (answer: AgentAnswer, host?: string): void => {
  const before = https.request
  const request = (url: URL, options: { readonly headers: Record<string, string> }) => {
    if (host !== undefined && url.hostname !== host) return before(url, options)
    const { headers } = options
    const [asked, socket] = [new EventEmitter(), new EventEmitter()]
    const end = (body: Uint8Array): void => {
      answer(url, `${headers['idempotency-key']}`, Buffer.from(body).toString()).then(
        (json) =>
          asked.emit(
            'response',
            Object.assign(Readable.from([Buffer.from(JSON.stringify(json))]), {
              statusCode: 200,
              headers: { 'content-type': 'application/json' },
            }),
          ),
        (error) => asked.emit('error', error),
      )
    }
    // The function sends the body once it is connected.
    queueMicrotask(() => {
      asked.emit('socket', socket)
      socket.emit('secureConnect')
    })
    return Object.assign(asked, { end })
  }
  Object.assign(https, { request })
  syncBuiltinESMExports()
}
