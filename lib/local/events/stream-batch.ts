import { randomUUID } from 'node:crypto'
import type { EventSourceSpec, Invoke } from '../model.ts'
import { failedIdentifiers } from './batch-response.ts'
import type { Send } from './bus-entry.ts'
import { compilePatterns } from './pattern.ts'
import { type Log, pause } from './pause.ts'
import type { LocalStreamRecord } from './stream-records.ts'

const FIRST_BACKOFF_MS = 50
const LONGEST_BACKOFF_MS = 1000

interface BatchContext {
  readonly shardId: string
  readonly signal: AbortSignal
  readonly log: Log
  /** Marks everything up to and including this record as processed. */
  advance(sequenceNumber: string): void
}

const sequenceOf = (record: LocalStreamRecord | undefined): string => record?.dynamodb.SequenceNumber ?? ''

const backoff = (attempts: number): number => Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS)

const abandonedBatch = (
  records: readonly LocalStreamRecord[],
  mapping: EventSourceSpec,
  functionArn: string,
  shardId: string,
  invocations: number,
) => {
  const arrival = (record: LocalStreamRecord | undefined) =>
    new Date((record?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString()
  return {
    requestContext: { requestId: randomUUID(), functionArn, condition: 'RetryAttemptsExhausted', approximateInvokeCount: invocations },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: sequenceOf(records[0]),
      endSequenceNumber: sequenceOf(records.at(-1)),
      approximateArrivalOfFirstRecord: arrival(records[0]),
      approximateArrivalOfLastRecord: arrival(records.at(-1)),
      batchSize: records.length,
      streamArn: mapping.sourceArn,
    },
  }
}

/**
 * Invokes a function with records of one shard, in order. An error repeats the same records; a partial batch response repeats those from
 * the lowest failed one. This goes on until all are processed, or given up when the mapping limits retries.
 * @param onFailure takes the description of records that were given up
 */
export const streamBatches = ({
  mapping,
  functionArn,
  invoke,
  onFailure,
}: {
  mapping: EventSourceSpec
  functionArn: string
  invoke: Invoke
  onFailure: Send | undefined
}) => {
  const matches = compilePatterns(mapping.filterPatterns)

  /** @returns how many records were processed, from the first on */
  const attempt = async (records: readonly LocalStreamRecord[], log: Log): Promise<number> => {
    const result = await invoke(mapping.functionName, { Records: records })
    if (!result.ok) {
      log(`${mapping.functionName}: ${result.errorType}: ${result.message}; ${records.length} stream records are retried`)
      return 0
    }
    if (!mapping.reportBatchItemFailures) return records.length
    const failed = failedIdentifiers(result.payload, records.map(sequenceOf))
    if (failed === undefined)
      log(`${mapping.functionName}: its answer is not a partial batch response, so the whole batch counts as failed`)
    const first = failed === undefined ? 0 : records.findIndex((record) => failed.has(sequenceOf(record)))
    return first === -1 ? records.length : first
  }

  const giveUp = async (
    records: readonly LocalStreamRecord[],
    invocations: number,
    { shardId, signal, log }: BatchContext,
  ): Promise<void> => {
    log(`${mapping.functionName}: ${records.length} stream records from ${sequenceOf(records[0])} on are given up`)
    for (let tries = 1; onFailure !== undefined && !signal.aborted; tries += 1) {
      try {
        return await onFailure(abandonedBatch(records, mapping, functionArn, shardId, invocations))
      } catch (error) {
        log(`${mapping.functionName}: the failure destination refused the records: ${String(error)}`)
        await pause(backoff(tries), signal)
      }
    }
  }

  const processAll = async (records: readonly LocalStreamRecord[], context: BatchContext): Promise<void> => {
    let rest = records
    let attempts = 0
    while (rest.length > 0 && !context.signal.aborted) {
      const done = await attempt(rest, context.log)
      if (done > 0) {
        context.advance(sequenceOf(rest[done - 1]))
        rest = rest.slice(done)
        attempts = 0
        continue
      }
      attempts += 1
      await pause(backoff(attempts), context.signal)
      if (mapping.bisectOnError && rest.length > 1) {
        const half = Math.ceil(rest.length / 2)
        await processAll(rest.slice(0, half), context)
        rest = rest.slice(half)
        attempts = 0
      } else if (mapping.maxRetries >= 0 && attempts > mapping.maxRetries) {
        await giveUp(rest, attempts, context)
        if (!context.signal.aborted) context.advance(sequenceOf(rest.at(-1)))
        return
      }
    }
  }

  return async (records: readonly LocalStreamRecord[], context: BatchContext): Promise<void> => {
    await processAll(records.filter(matches), context)
    const last = records.at(-1)
    if (last !== undefined && !context.signal.aborted) context.advance(sequenceOf(last))
  }
}
