import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startQueues } from '#lib/local/engines/queues.ts'
import { startEventBridge } from '#lib/local/events/bridge.ts'
import { type EventSourceOptions, startEventSources } from '#lib/local/events/start-event-sources.ts'
import type { InvokeResult, QueueSpec, ServiceTemplate } from '#lib/local/model.ts'
import { emptyTemplate, endpointsOf, functionOf, queueOf } from './event-template.ts'

export type FakeFunction = (event: { Records: readonly Record<string, unknown>[] }) => InvokeResult | Promise<InvokeResult>

export const fine = (payload: unknown = null): InvokeResult => ({ ok: true, payload })
/** Records the items and succeeds. */
export const noted = <T>(list: T[], ...items: readonly T[]): InvokeResult => {
  list.push(...items)
  return fine()
}
export const crashed: InvokeResult = { ok: false, errorType: 'Crashed', message: 'killed' }

const access = { region: 'us-east-1', credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } }

/** Starts a queue engine, a bus, and event sources with the given functions. `stop` removes everything. */
export const startEvents = async (options: {
  queues: readonly { name: string; attributes?: Record<string, string> }[]
  template: (queues: Readonly<Record<string, QueueSpec>>) => Partial<ServiceTemplate>
  functions: Readonly<Record<string, FakeFunction>>
  sources?: Partial<Pick<EventSourceOptions, 'clock' | 'checkpointFile' | 'onObjectEvent'>>
  dynamodb?: string
}) => {
  const engine = await startQueues('000000000000')
  const queues = options.queues.map(({ name, attributes }) => queueOf(name, engine.url, attributes))
  await engine.createQueues(queues)
  const byName = Object.fromEntries(queues.map((queue) => [queue.name, queue]))
  const bridge = await startEventBridge()
  const log: string[] = []
  const sqs = new SQSClient({ ...access, endpoint: engine.url })
  const urlOf = (name: string) => byName[name]!.url

  const stopEngines = async () => {
    sqs.destroy()
    await bridge.close()
    await engine.stop()
  }
  const sources = await startEventSources({
    template: {
      ...emptyTemplate,
      queues,
      functions: Object.keys(options.functions).map((name) => functionOf(name)),
      ...options.template(byName),
    },
    endpoints: endpointsOf({
      sqs: engine.url,
      eventbridge: bridge.url,
      ...(options.dynamodb !== undefined && { dynamodb: options.dynamodb }),
    }),
    invoke: async (name, event) => options.functions[name]!(event as Parameters<FakeFunction>[0]),
    clock: () => Date.parse('2026-11-20T16:00:00.500Z'),
    checkpointFile: undefined,
    log: (line) => log.push(line),
    bridge,
    ...options.sources,
  }).catch(async (error: unknown) => {
    await stopEngines()
    throw error
  })

  return {
    log,
    bridge,
    send: (name: string, body: unknown, attributes: Record<string, string> = {}) =>
      sqs.send(
        new SendMessageCommand({
          QueueUrl: urlOf(name),
          MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
          MessageAttributes: Object.fromEntries(
            Object.entries(attributes).map(([key, StringValue]) => [key, { DataType: 'String', StringValue }]),
          ),
        }),
      ),
    /** Messages in the queue, including hidden and delayed ones. */
    count: async (name: string): Promise<number> => {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesDelayed'] as const
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: urlOf(name), AttributeNames: [...names] }))
      return names.reduce((total, key) => total + Number(Attributes?.[key]), 0)
    },
    take: async (name: string): Promise<unknown[]> => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: urlOf(name), MaxNumberOfMessages: 10 }))
      return Messages.map((message) => JSON.parse(message.Body ?? 'null'))
    },
    stop: async () => {
      await sources.stop()
      await stopEngines()
    },
  }
}
