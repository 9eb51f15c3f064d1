import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { loggable, logger } from '../logger.ts'
import { recordFailures } from '../metrics.ts'
import { logRun } from '../run-log.ts'
import { dropRecord, type QueueRecord } from './queue-records.ts'

/** How a run takes further records while it waits for slow ones. */
interface FurtherWork<T> {
  /** Milliseconds after which a record that is still being handled counts as slow. */
  readonly slowAfter: number
  /** A run with so many open records takes no more. */
  readonly mostOpen: number
  /** Milliseconds that the run must have left to take a record, so that a slow one ends before the run does. */
  readonly leastTime: number
  /** Must not fail. */
  readonly take: () => Promise<readonly T[]>
}

/** Milliseconds to wait after there was no further work. */
const IDLE_MS = 250

/** Resolves when all of the work is done, or after `ms` milliseconds. */
const doneWithin = async (work: readonly Promise<void>[], ms: number): Promise<void> => {
  const done = new AbortController()
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([Promise.all(work), late])
  done.abort()
}

/**
 * Handles records at the same time. While slow ones run on, it takes further records, so that a slow one holds up no others. `handle` must
 * not fail. @returns how many further records were handled
 */
const workOn = async <T>(
  records: readonly T[],
  handle: (record: T, isFurther: boolean) => Promise<void>,
  { slowAfter, mostOpen, leastTime, take }: FurtherWork<T>,
  timeLeft: () => number,
): Promise<number> => {
  const open = new Set<Promise<void>>()
  const begin = (batch: readonly T[], isFurther: boolean): readonly Promise<void>[] =>
    batch.map((record) => {
      const work = handle(record, isFurther).finally(() => open.delete(work))
      open.add(work)
      return work
    })
  await doneWithin(begin(records, false), slowAfter)
  let further = 0
  while (open.size > 0 && timeLeft() > leastTime) {
    const begun = begin(open.size < mostOpen ? await take() : [], true)
    further += begun.length
    await (begun.length > 0 ? doneWithin(begun, slowAfter) : doneWithin([...open], IDLE_MS))
  }
  await Promise.all(open)
  return further
}

/** Thrown when nothing is wrong, but the message must be handled again. */
export class RetryMessage extends Error {
  override readonly name = 'RetryMessage'
}

const note = (messageId: string, error: unknown): void => {
  if (error instanceof RetryMessage) logger.info('A message will return.', { message_id: messageId, reason: error.message })
  else logger.error('A message failed and will return.', { message_id: messageId, error: loggable(error) })
}

/** While slow messages run, a run takes further messages from the queue of its batch. */
export interface Further extends FurtherWork<QueueRecord> {
  readonly queueUrl: string
}

/** For messages that all take about the same time. */
const NOTHING_FURTHER = { slowAfter: 0, mostOpen: 0, leastTime: Number.POSITIVE_INFINITY, take: async () => [] }

/**
 * A function that handles a queue's messages. The messages of a batch run concurrently, and only failed ones come back. A body that does
 * not match the schema fails too, and becomes a dead letter.
 * @param furtherOf how a run takes further messages from the queue with this ARN while it waits for slow ones; undefined: it takes none
 */
export const consume = <S extends v.GenericSchema, C extends Partial<Context> = Partial<Context>>(
  schema: S,
  handle: (message: v.InferOutput<S>, record: QueueRecord, context: C | undefined) => Promise<void>,
  furtherOf: (arn: string) => Further | undefined = () => undefined,
) => {
  const body = v.pipe(v.string(), v.parseJson(), schema)
  return (event: SQSEvent, context?: C): Promise<SQSBatchResponse> => {
    const failed = new Set<string>()
    let failures = 0
    const isHandled = async (record: QueueRecord): Promise<boolean> => {
      try {
        await handle(v.parse(body, record.body), record, context)
        return true
      } catch (error) {
        note(record.messageId, error)
        if (!(error instanceof RetryMessage)) failures++
        return false
      }
    }
    const further = furtherOf(event.Records[0]?.eventSourceARN ?? '')
    const drop = async (record: QueueRecord): Promise<void> => further && dropRecord(further.queueUrl, record)
    // A run that takes further messages may last long. Lambda deletes the batch only at the end, and some messages would return before.
    let isTaking = false
    const done: QueueRecord[] = []
    const take = async (): Promise<readonly QueueRecord[]> => {
      isTaking = true
      const [records = []] = await Promise.all([further?.take(), ...done.splice(0).map(drop)])
      return records
    }
    const handleRecord = async (record: QueueRecord, isFurther: boolean): Promise<void> => {
      const isDone = await isHandled(record)
      if (!isDone) {
        if (!isFurther) failed.add(record.messageId)
      } else if (isTaking) await drop(record)
      else done.push(record)
    }
    const handleAll = async (): Promise<SQSBatchResponse> => {
      const timeLeft = () => context?.getRemainingTimeInMillis?.() ?? Number.MAX_SAFE_INTEGER
      const taken = await workOn<QueueRecord>(event.Records, handleRecord, further ? { ...further, take } : NOTHING_FURTHER, timeLeft)
      if (taken > 0) logger.info('Further messages were handled while slow ones were running.', { records: taken })
      recordFailures(context?.functionName, failures)
      const isFailed = ({ messageId }: SQSRecord) => failed.has(messageId)
      return { batchItemFailures: event.Records.filter(isFailed).map(({ messageId }) => ({ itemIdentifier: messageId })) }
    }
    return logRun(context, handleAll, { records: event.Records.length, failed: ({ batchItemFailures }) => batchItemFailures.length })
  }
}
