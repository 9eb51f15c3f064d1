import { setTimeout } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { SQSClient } from '@aws-sdk/client-sqs'
import { CREDENTIALS, REGION } from '../engines/engine.ts'
import type { Endpoints, EventSourceSpec, Invoke, ServiceTemplate } from '../model.ts'
import { MOST_PER_FUNCTION } from '../sandbox-limits.ts'
import type { EventBridge } from './bridge.ts'
import { bucketNotifier } from './bucket-notifications.ts'
import { type TargetFor, targetsOf } from './bus-entry.ts'
import { keepCheckpoint, type Positions, readPositions } from './checkpoint.ts'
import { eventQueuesOf } from './event-queues.ts'
import type { Log } from './pause.ts'
import { pollQueue } from './queue-poller.ts'
import { routeByRules } from './rules.ts'
import { scheduleOf } from './schedules.ts'
import { streamBatches } from './stream-batch.ts'
import { readStream } from './stream-reader.ts'

const local = { region: REGION, credentials: CREDENTIALS }

export const dynamodbClient = (endpoint: string): DynamoDBClient => new DynamoDBClient({ ...local, endpoint })

export const streamsClient = (endpoint: string): DynamoDBStreamsClient => new DynamoDBStreamsClient({ ...local, endpoint })

const sqsClient = (endpoint: string): SQSClient => new SQSClient({ ...local, endpoint, useQueueUrlAsEndpoint: false })

/** Sends each event to its target twice. */
const sendingTwice =
  (targetFor: TargetFor): TargetFor =>
  (arn) => {
    const send = targetFor(arn)
    return async (...event) => {
      await Promise.all([send(...event), send(...event)])
    }
  }

/** Invokes a function twice for each event, one after the other. The second runs even if the first fails; its result counts. */
const invokingTwice =
  (invoke: Invoke): Invoke =>
  async (...event) => {
    await invoke(...event)
    return invoke(...event)
  }

const LAST_WAIT_MS = 2000

interface EventSources {
  /** Starts no new work, and waits up to 2 s for running work. */
  stop(): Promise<void>
}

export interface EventSourceOptions {
  readonly template: ServiceTemplate
  readonly endpoints: Endpoints
  readonly invoke: Invoke
  /** The service's clock, epoch milliseconds. */
  readonly clock: () => number
  /** File that keeps the stream positions over a restart. Undefined: streams are read from their beginning. */
  readonly checkpointFile: string | undefined
  /** Whether bucket events and queue messages are delivered twice, as may happen on AWS. Default: false. */
  readonly twice?: boolean
  readonly log: Log
  readonly bridge: Pick<EventBridge, 'connect'>
  /** Subscribes to the bucket engine's object events. */
  readonly onObjectEvent?: (listener: (message: unknown) => void) => void
}

/**
 * Starts everything that moves events between functions on AWS: rules, schedules, bucket notifications, queue pollers and stream readers.
 * Throws before anything starts when the template asks for something that is not supported here.
 */
export const startEventSources = async (options: EventSourceOptions): Promise<EventSources> => {
  const { template, endpoints, invoke, clock, checkpointFile, twice = false, log, bridge } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const sqs = sqsClient(endpoints.sqs)
  const dynamodb = dynamodbClient(endpoints.dynamodb)
  const streams = streamsClient(endpoints.dynamodb)
  const targetFor = targetsOf({ template, sqs, invoke })
  const positions: Positions = checkpointFile === undefined ? new Map() : readPositions(checkpointFile, log)

  const route = routeByRules(template, targetFor, clock)
  const schedules = template.rules.flatMap((rule) => (rule.schedule === undefined ? [] : [scheduleOf(rule, rule.schedule, targetFor)]))
  /**
   * A received message has left its queue, and only this poller can run it. So each queue receives no more than its share of the function's
   * sandboxes.
   */
  const inTurn = (mapping: EventSourceSpec): EventSourceSpec => {
    const share = Math.floor(
      MOST_PER_FUNCTION / template.eventSources.filter((other) => other.functionName === mapping.functionName).length,
    )
    return { ...mapping, maxConcurrency: Math.min(mapping.maxConcurrency ?? share, share) }
  }
  const readers = template.eventSources.map((mapping) => {
    const queue = template.queues.find((candidate) => candidate.arn === mapping.sourceArn)
    if (queue !== undefined) return pollQueue(inTurn(mapping), queue, { sqs, invoke: twice ? invokingTwice(invoke) : invoke })
    const table = template.tables.find((candidate) => candidate.streamArn === mapping.sourceArn)
    if (table === undefined) throw new Error(`The event source ${mapping.sourceArn} is neither a queue nor a stream of the template.`)
    const functionArn = template.functions.find((fn) => fn.name === mapping.functionName)?.arn ?? ''
    const onFailure = mapping.onFailureArn === undefined ? undefined : targetFor(mapping.onFailureArn)
    const deal = streamBatches({ mapping, functionArn, invoke, onFailure })
    return () => readStream({ mapping, table, dynamodb, streams, positions, deal, signal, log })
  })

  const notify = bucketNotifier({ buckets: template.buckets, targetFor: twice ? sendingTwice(targetFor) : targetFor, log })

  bridge.connect(route)
  options.onObjectEvent?.((message) => {
    if (!signal.aborted) void notify(message)
  })
  const running = [...schedules.map((run) => run({ clock, log, signal })), ...readers.map((read) => read({ log, signal }))]
  if (checkpointFile !== undefined) {
    running.push(keepCheckpoint({ file: checkpointFile, positions, queues: eventQueuesOf(template), sqs, signal, log }))
  }

  return {
    stop: async () => {
      stopping.abort()
      const waited = new AbortController()
      await Promise.race([
        Promise.allSettled(running),
        setTimeout(LAST_WAIT_MS, undefined, { signal: waited.signal }).catch(() => undefined),
      ])
      waited.abort()
      for (const client of [sqs, dynamodb, streams]) client.destroy()
    },
  }
}
