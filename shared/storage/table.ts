import { ConditionalCheckFailedException, DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
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

export const putItem = async (item: Key & Record<string, unknown>, condition: Partial<PutCommandInput> = {}): Promise<void> => {
  await client.send(new PutCommand({ TableName: setting('TABLE_NAME'), Item: compact(item), ...condition }))
}

/** @returns the attributes asked for with `ReturnValues`. */
export const updateItem = async (key: Key, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<unknown> => {
  const { Attributes } = await client.send(new UpdateCommand({ TableName: setting('TABLE_NAME'), Key: { ...key }, ...update }))
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

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

const transactItem = (write: Write): TransactItem => {
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
