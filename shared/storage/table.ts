import { setTimeout as sleep } from 'node:timers/promises'
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { setting } from '../adapters/environment.ts'
import { metered } from './capacity.ts'
import type { Key } from './keys.ts'

const client = metered(DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } }))

/** An item as the table keeps it: what is null is left out. */
export const compact = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined))

/** Strongly consistent. @throws ValiError when the item is not of the schema. */
export const getItem = async <S extends v.GenericSchema>(schema: S, key: Key): Promise<v.InferOutput<S> | undefined> => {
  const { Item } = await client.send(new GetCommand({ TableName: setting('TABLE_NAME'), Key: { ...key }, ConsistentRead: true }))
  return Item && v.parse(schema, Item)
}

const CONFLICT_TRIES = 10
/** Milliseconds, times a random part and doubled with each try. */
const CONFLICT_PAUSE = 10

/**
 * A single write is turned away while a transaction holds its item, and the SDK does not try it again. It was not applied, so
 * that it can be: also an ADD.
 */
const past = async <T>(write: () => Promise<T>): Promise<T> => {
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
  await past(() => client.send(new PutCommand({ TableName: setting('TABLE_NAME'), Item: compact(item), ...condition })))
}

/** @returns the attributes asked for with `ReturnValues`. */
export const updateItem = async (key: Key, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<unknown> => {
  const { Attributes } = await past(() => client.send(new UpdateCommand({ TableName: setting('TABLE_NAME'), Key: { ...key }, ...update })))
  return Attributes
}

/** One page of a query: at most 1 MB, or `Limit`. */
export const query = async <S extends v.GenericSchema>(
  schema: S,
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<{ items: v.InferOutput<S>[]; next: Record<string, unknown> | undefined }> => {
  const { Items, LastEvaluatedKey } = await client.send(new QueryCommand({ TableName: setting('TABLE_NAME'), ...input }))
  return { items: v.parse(v.array(schema), Items ?? []), next: LastEvaluatedKey }
}

/** Keys that one request takes. */
const BATCH = 100
const MAX_ROUNDS = 10

const getBatch = async (keys: readonly Key[], consistent: boolean): Promise<Record<string, unknown>[]> => {
  const table = setting('TABLE_NAME')
  const found: Record<string, unknown>[] = []
  let request: BatchGetCommandInput['RequestItems'] = { [table]: { Keys: keys.map((key) => ({ ...key })), ConsistentRead: consistent } }
  for (let round = 0; request && Object.keys(request).length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error('The table does not give the items of a batch.')
    if (round > 0) await sleep(2 ** round * 10 * Math.random())
    const answer: BatchGetCommandOutput = await client.send(new BatchGetCommand({ RequestItems: request }))
    found.push(...(answer.Responses?.[table] ?? []))
    request = answer.UnprocessedKeys
  }
  return found
}

/** Many items at once, in no order; those that are not there are left out. @throws ValiError when one is not of the schema */
export const batchGet = async <S extends v.GenericSchema>(
  schema: S,
  keys: readonly Key[],
  { consistent }: { readonly consistent: boolean },
): Promise<v.InferOutput<S>[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, index) => keys.slice(index * BATCH, (index + 1) * BATCH))
  const items = await Promise.all(batches.map((batch) => getBatch(batch, consistent)))
  return v.parse(v.array(schema), items.flat())
}

/** Items that one request writes. */
const PUT_BATCH = 25

const putBatch = async (items: readonly (Key & Record<string, unknown>)[]): Promise<void> => {
  let request: BatchWriteCommandInput['RequestItems'] = {
    [setting('TABLE_NAME')]: items.map((item) => ({ PutRequest: { Item: compact(item) } })),
  }
  for (let round = 0; request && Object.keys(request).length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error('The table does not take the items of a batch.')
    if (round > 0) await sleep(2 ** round * 10 * Math.random())
    const answer: BatchWriteCommandOutput = await client.send(new BatchWriteCommand({ RequestItems: request }))
    request = answer.UnprocessedItems
  }
}

/** Writes many items whatever stands there, in no order. @throws Error when some of them may not have been written */
export const batchPut = async (items: readonly (Key & Record<string, unknown>)[]): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(items.length / PUT_BATCH) }, (_, index) =>
    items.slice(index * PUT_BATCH, (index + 1) * PUT_BATCH),
  )
  await Promise.all(batches.map(putBatch))
}

/** A write of a transaction, the table's name left out. */
export type Write =
  | { readonly put: Key & Record<string, unknown>; readonly condition?: string; readonly values?: Record<string, unknown> }
  | {
      readonly update: Key
      readonly expression: string
      readonly condition?: string
      readonly names?: Record<string, string>
      readonly values?: Record<string, unknown>
    }
  | { readonly delete: Key }

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

const transactItem = (write: Write): TransactItem => {
  if ('delete' in write) return { Delete: { TableName: setting('TABLE_NAME'), Key: { ...write.delete } } }
  const common = {
    TableName: setting('TABLE_NAME'),
    ...(write.condition && { ConditionExpression: write.condition }),
    ...(write.values && { ExpressionAttributeValues: write.values }),
  }
  if ('put' in write) return { Put: { ...common, Item: compact(write.put) } }
  return {
    Update: {
      ...common,
      Key: { ...write.update },
      UpdateExpression: write.expression,
      ...(write.names && { ExpressionAttributeNames: write.names }),
    },
  }
}

/** `refused`: the places of the writes whose conditions did not hold; none when another transaction was in the way. */
export type TransactResult = { readonly committed: true } | { readonly committed: false; readonly refused: readonly number[] }

/** All of the writes or none. @throws what is not a matter of conditions or of another transaction. */
export const transact = async (writes: readonly Write[]): Promise<TransactResult> => {
  try {
    await client.send(new TransactWriteCommand({ TransactItems: writes.map(transactItem) }))
    return { committed: true }
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const codes = error.CancellationReasons?.map((reason) => reason.Code) ?? []
    const refused = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []))
    if (refused.length === 0 && !codes.includes('TransactionConflict')) throw error
    return { committed: false, refused }
  }
}

/** Waits for a conditional write. */
export const onCondition = async <T>(write: Promise<T>): Promise<{ held: true; result: T } | { held: false }> => {
  try {
    return { held: true, result: await write }
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { held: false }
    throw error
  }
}

/** As `onCondition`, when only the condition matters. */
export const ifConditionHolds = async (write: Promise<unknown>): Promise<boolean> => (await onCondition(write)).held
