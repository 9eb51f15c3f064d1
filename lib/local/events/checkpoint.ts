import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import { systemErrorCode } from '../engines/engine.ts'
import type { QueueSpec } from '../model.ts'
import { type Log, pause } from './pause.ts'

/** The last processed sequence number, by reader of a shard. */
export type Positions = Map<string, string>

const fileSchema = v.pipe(v.string(), v.parseJson(), v.object({ positions: v.record(v.string(), v.string()) }))

/** Holds the stream's ARN. A new table has a new ARN, so a position never outlives its table. */
export const readerName = (functionName: string, streamArn: string, shardId: string): string => `${functionName} ${streamArn} ${shardId}`

/** The positions of an earlier run; empty when the file is missing or unreadable. */
export const readPositions = (file: string, log: Log): Positions => {
  try {
    return new Map(Object.entries(v.parse(fileSchema, readFileSync(file, 'utf8')).positions))
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') log(`${file} is not a checkpoint, so streams are read from the beginning: ${String(error)}`)
    return new Map()
  }
}

/** Replaces the file in one step: a crash leaves either the old positions or the new ones. */
const writePositions = async (file: string, positions: ReadonlyMap<string, string>): Promise<void> => {
  const draft = `${file}.new`
  await writeFile(draft, JSON.stringify({ positions: Object.fromEntries(positions) }))
  await rename(draft, file)
}

const LOOK_MS = 100
const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', 'ApproximateNumberOfMessagesDelayed'] as const

const isEmpty = async (queue: QueueSpec, sqs: SQSClient): Promise<boolean> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames: [...COUNTS] }))
  return COUNTS.every((name) => Attributes?.[name] === '0')
}

/**
 * Keeps the stream positions in a file. After a kill of the whole service, the streams are read again from there.
 * Queues live in memory: a batch that was processed may still have events in a queue. A position is therefore written only after every
 * queue downstream was seen empty since then, one after the other in the direction of the flow. All messages that were in the first queue
 * have then moved on to the second, and so on to the end. A message that is delayed or retried holds the positions back. The only cost is
 * that a restart repeats events, with the same ids.
 * @param queues upstream before downstream
 */
export const keepCheckpoint = async (options: {
  readonly file: string
  readonly positions: Positions
  readonly queues: readonly QueueSpec[]
  readonly sqs: SQSClient
  readonly signal: AbortSignal
  readonly log: Log
}): Promise<void> => {
  const { file, positions, queues, sqs, signal, log } = options
  const drained = async (): Promise<boolean> => {
    for (const queue of queues) {
      while (!signal.aborted && !(await isEmpty(queue, sqs))) await pause(LOOK_MS, signal)
    }
    return !signal.aborted
  }
  let written = new Map(positions)
  while (!signal.aborted) {
    await pause(LOOK_MS, signal)
    const reached = new Map(positions)
    if ([...reached].every(([reader, position]) => written.get(reader) === position)) continue
    try {
      if (!(await drained())) return
      await writePositions(file, reached)
      written = reached
    } catch (error) {
      if (!signal.aborted) log(`the checkpoint could not be written: ${String(error)}`)
    }
  }
}
