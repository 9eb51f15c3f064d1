import { setTimeout as sleep } from 'node:timers/promises'
import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  type DeleteCommandInput,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { setting } from '../environment.ts'
import type { Key } from '../keys.ts'
import { client, compact } from './client.ts'

/** Without it, a read is strongly consistent. A read that may be a second old costs half, and takes half of a hot key's limit. */
export interface Reading {
  readonly mayBeOld?: boolean
}

/** @throws ValiError when the item does not match the schema */
export const getItem = async <S extends v.GenericSchema>(
  schema: S,
  key: Key,
  { mayBeOld = false }: Reading = {},
): Promise<v.InferOutput<S> | undefined> => {
  const { Item } = await client.send(new GetCommand({ TableName: setting('TABLE_NAME'), Key: { ...key }, ConsistentRead: !mayBeOld }))
  return Item && v.parse(schema, Item)
}

const CONFLICT_TRIES = 10
/** Milliseconds, multiplied by a random part and doubled with each try. */
const CONFLICT_PAUSE = 10

/**
 * The table refuses a single write while a transaction holds its item, and the SDK does not retry it. The write was not applied, so a retry
 * is safe, even for an ADD.
 */
const retryConflicts = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || tries === CONFLICT_TRIES) throw error
      await sleep(Math.random() * CONFLICT_PAUSE * 2 ** tries)
    }
  }
}

export const putItem = async (item: Key & Record<string, unknown>, condition: Partial<PutCommandInput> = {}): Promise<void> => {
  await retryConflicts(() => client.send(new PutCommand({ TableName: setting('TABLE_NAME'), Item: compact(item), ...condition })))
}

/** @returns the attributes asked for with `ReturnValues`. */
export const updateItem = async (key: Key, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<unknown> => {
  const { Attributes } = await retryConflicts(() =>
    client.send(new UpdateCommand({ TableName: setting('TABLE_NAME'), Key: { ...key }, ...update })),
  )
  return Attributes
}

/** @returns whether the item existed */
export const deleteItem = async (key: Key, condition: Omit<DeleteCommandInput, 'TableName' | 'Key'> = {}): Promise<boolean> => {
  const { Attributes } = await retryConflicts(() =>
    client.send(new DeleteCommand({ TableName: setting('TABLE_NAME'), Key: { ...key }, ...condition, ReturnValues: 'ALL_OLD' })),
  )
  return Attributes !== undefined
}

/** One page of a query: at most 1 MB, or `Limit`. */
export const query = async <S extends v.GenericSchema>(
  schema: S,
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<{ items: v.InferOutput<S>[]; next: Record<string, unknown> | undefined }> => {
  const { Items, LastEvaluatedKey } = await client.send(new QueryCommand({ TableName: setting('TABLE_NAME'), ...input }))
  return { items: v.parse(v.array(schema), Items ?? []), next: LastEvaluatedKey }
}

/** The items of all pages of a query. */
export const queryAll = async <S extends v.GenericSchema>(
  schema: S,
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<v.InferOutput<S>[]> => {
  const found: v.InferOutput<S>[] = []
  let start: QueryCommandInput['ExclusiveStartKey']
  do {
    const { items, next } = await query(schema, { ...input, ExclusiveStartKey: start })
    found.push(...items)
    start = next
  } while (start)
  return found
}

/** All items with a partition key. Strongly consistent. */
export const partitionItems = <S extends v.GenericSchema>(schema: S, pk: string): Promise<v.InferOutput<S>[]> =>
  queryAll(schema, { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true })

/** The number of items on all pages of a query. */
export const countItems = async (input: Omit<QueryCommandInput, 'TableName' | 'Select'>): Promise<number> => {
  let count = 0
  let start: QueryCommandInput['ExclusiveStartKey']
  do {
    const asked: QueryCommandInput = { TableName: setting('TABLE_NAME'), ...input, Select: 'COUNT', ExclusiveStartKey: start }
    const { Count = 0, LastEvaluatedKey } = await client.send(new QueryCommand(asked))
    count += Count
    start = LastEvaluatedKey
  } while (start)
  return count
}

/** Waits for a conditional write. */
export const onCondition = async <T>(write: Promise<T>): Promise<{ isMet: true; result: T } | { isMet: false }> => {
  try {
    return { isMet: true, result: await write }
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { isMet: false }
    throw error
  }
}

/** As `onCondition`, if only the condition matters. */
export const ifConditionHolds = async (write: Promise<unknown>): Promise<boolean> => (await onCondition(write)).isMet
