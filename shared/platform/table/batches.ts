import { setTimeout as sleep } from 'node:timers/promises'
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { setting } from '../environment.ts'
import type { Key } from '../keys.ts'
import { inLanes } from '../lanes.ts'
import { TableBusyError } from '../transient-errors.ts'
import { noteBusyAnswer } from './busy.ts'
import { client, compact } from './client.ts'

/** Most keys in one request. */
const BATCH = 100
const MAX_ROUNDS = 10

/** The part of a batch that the table left out because it was too busy. */
const leftOf = <T extends object>(unprocessed: T | undefined): T | undefined => {
  if (unprocessed === undefined || Object.keys(unprocessed).length === 0) return undefined
  noteBusyAnswer()
  return unprocessed
}

interface BatchReading {
  readonly consistent: boolean
  /** The attributes that are read. Default: all. The read units are the same, but not the memory. */
  readonly only?: readonly string[]
}

const projection = (only: readonly string[]) => ({
  ProjectionExpression: only.map((_, index) => `#${index}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(only.map((name, index) => [`#${index}`, name])),
})

const getBatch = async (keys: readonly Key[], { consistent, only }: BatchReading): Promise<Record<string, unknown>[]> => {
  const table = setting('TABLE_NAME')
  const found: Record<string, unknown>[] = []
  let request: BatchGetCommandInput['RequestItems'] = {
    [table]: { Keys: keys.map((key) => ({ ...key })), ConsistentRead: consistent, ...(only && projection(only)) },
  }
  for (let round = 0; request; round++) {
    if (round === MAX_ROUNDS) throw new TableBusyError('The table did not return all items of a batch.')
    if (round > 0) await sleep(2 ** round * 10 * Math.random())
    const answer: BatchGetCommandOutput = await client.send(new BatchGetCommand({ RequestItems: request }))
    found.push(...(answer.Responses?.[table] ?? []))
    request = leftOf(answer.UnprocessedKeys)
  }
  return found
}

/** Reads many items, in any order. Missing items are left out. @throws ValiError when an item does not match the schema */
export const batchGet = async <S extends v.GenericSchema>(
  schema: S,
  keys: readonly Key[],
  reading: BatchReading,
): Promise<v.InferOutput<S>[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, index) => keys.slice(index * BATCH, (index + 1) * BATCH))
  const items = await Promise.all(batches.map((batch) => getBatch(batch, reading)))
  return v.parse(v.array(schema), items.flat())
}

/** Most items that one request writes. */
const WRITE_BATCH = 25

/** Concurrent write requests. The table would refuse a thousand of them, and each request keeps its items in memory. */
const WRITE_LANES = 8

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number]

const writeBatch = async (writes: WriteRequest[]): Promise<void> => {
  let request: BatchWriteCommandInput['RequestItems'] = { [setting('TABLE_NAME')]: writes }
  for (let round = 0; request; round++) {
    if (round === MAX_ROUNDS) throw new TableBusyError('The table did not accept all items of a batch.')
    if (round > 0) await sleep(2 ** round * 10 * Math.random())
    const answer: BatchWriteCommandOutput = await client.send(new BatchWriteCommand({ RequestItems: request }))
    request = leftOf(answer.UnprocessedItems)
  }
}

const writeAll = async (writes: WriteRequest[]): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(writes.length / WRITE_BATCH) }, (_, index) =>
    writes.slice(index * WRITE_BATCH, (index + 1) * WRITE_BATCH),
  )
  await inLanes(WRITE_LANES, batches, writeBatch)
}

/** Writes many items, in any order, and replaces existing ones. @throws TableBusyError when some may not have been written */
export const batchPut = (items: readonly (Key & Record<string, unknown>)[]): Promise<void> =>
  writeAll(items.map((item) => ({ PutRequest: { Item: compact(item) } })))

/** Deletes many items, in any order. Some may be missing. @throws TableBusyError when some may not have been deleted */
export const batchDelete = (keys: readonly Key[]): Promise<void> =>
  writeAll(keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })))
