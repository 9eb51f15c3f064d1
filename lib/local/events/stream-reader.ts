import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams'
import type { EventSourceSpec, TableSpec } from '../model.ts'
import { type Positions, readerName } from './checkpoint.ts'
import { type Log, pause } from './pause.ts'
import type { streamBatches } from './stream-batch.ts'
import { type LocalStreamRecord, streamRecordOf } from './stream-records.ts'

const IDLE_MS = 60
const AFTER_ERROR_MS = 500
const MOST_AT_ONCE = 1000

interface Reading {
  readonly mapping: EventSourceSpec
  readonly table: TableSpec
  readonly dynamodb: DynamoDBClient
  readonly streams: DynamoDBStreamsClient
  readonly positions: Positions
  readonly deal: ReturnType<typeof streamBatches>
  readonly signal: AbortSignal
  readonly log: Log
}

/** The iterator after the position. Without a position, or when the stream has already dropped it: from the oldest record. */
const iteratorAt = async (
  streams: DynamoDBStreamsClient,
  StreamArn: string,
  ShardId: string,
  position: string | undefined,
): Promise<string | undefined> => {
  const oldest = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  if (position === undefined) return (await streams.send(oldest)).ShardIterator
  const after = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position })
  const answer = await streams.send(after).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'TrimmedDataAccessException') return streams.send(oldest)
    throw error
  })
  return answer.ShardIterator
}

/** Reads one shard to its end, or until the signal aborts. */
const readShard = async (reading: Reading, streamArn: string, shardId: string): Promise<void> => {
  const { mapping, streams, positions, deal, signal, log } = reading
  const reader = readerName(mapping.functionName, streamArn, shardId)
  const advance = (sequenceNumber: string) => positions.set(reader, sequenceNumber)
  const most = Math.min(mapping.batchSize, MOST_AT_ONCE)

  let iterator: string | undefined
  const next = async (limit: number): Promise<readonly LocalStreamRecord[]> => {
    const answer = await streams.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }))
    iterator = answer.NextShardIterator
    return (answer.Records ?? []).map((record) => streamRecordOf(record, streamArn, mapping.sourceArn))
  }
  const gather = async (): Promise<readonly LocalStreamRecord[]> => {
    const records = [...(await next(most))]
    const end = performance.now() + mapping.windowSeconds * 1000
    while (records.length > 0 && records.length < most && performance.now() < end && iterator !== undefined && !signal.aborted) {
      const more = await next(most - records.length)
      records.push(...more)
      if (more.length === 0) await pause(IDLE_MS, signal)
    }
    return records
  }

  while (!signal.aborted) {
    try {
      iterator = await iteratorAt(streams, streamArn, shardId, positions.get(reader))
      while (iterator !== undefined && !signal.aborted) {
        const records = await gather()
        if (records.length > 0) await deal(records, { shardId, signal, log, advance })
        else await pause(IDLE_MS, signal)
      }
      return
    } catch (error) {
      if (!signal.aborted) log(`the stream of ${reading.table.name}: ${String(error)}`)
      await pause(AFTER_ERROR_MS, signal)
    }
  }
}

const shardsOf = async (streams: DynamoDBStreamsClient, StreamArn: string): Promise<Shard[]> => {
  const shards: Shard[] = []
  let after: string | undefined
  do {
    const { StreamDescription } = await streams.send(
      new DescribeStreamCommand({ StreamArn, ...(after !== undefined && { ExclusiveStartShardId: after }) }),
    )
    shards.push(...(StreamDescription?.Shards ?? []))
    after = StreamDescription?.LastEvaluatedShardId
  } while (after !== undefined)
  return shards
}

/** Runs one event source mapping of a table's stream. Each shard is read in order, and a child shard only after its parent's end. */
export const readStream = async (reading: Reading): Promise<void> => {
  const { dynamodb, streams, table, signal, log } = reading
  const begun = new Map<string, Promise<void>>()
  const ended = new Set<string>()

  const look = async (): Promise<void> => {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: table.name }))
    const streamArn = Table?.LatestStreamArn
    if (streamArn === undefined) throw new Error('it has no stream')
    const shards = await shardsOf(streams, streamArn)
    const waits = (parent: string | undefined) =>
      parent !== undefined && !ended.has(parent) && shards.some((shard) => shard.ShardId === parent)
    for (const { ShardId, ParentShardId } of shards) {
      if (ShardId === undefined || begun.has(ShardId) || waits(ParentShardId)) continue
      begun.set(
        ShardId,
        readShard(reading, streamArn, ShardId).finally(() => ended.add(ShardId)),
      )
    }
  }

  while (!signal.aborted) {
    await look().catch((error: unknown) => log(`the stream of ${table.name}: ${String(error)}`))
    const open = [...begun].filter(([shardId]) => !ended.has(shardId)).map(([, reader]) => reader)
    await (open.length > 0 ? Promise.race(open) : pause(AFTER_ERROR_MS, signal))
  }
  await Promise.all(begun.values())
}
