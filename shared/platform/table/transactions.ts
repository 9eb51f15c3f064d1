import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { setting } from '../environment.ts'
import type { Key } from '../keys.ts'
import { client, compact } from './client.ts'

/** Whether the table refused an item or a key for a permanent reason, such as its size. A retry would fail too. */
export const isRefusedItem = (error: unknown): boolean => {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.some(({ Code }) => Code === 'ValidationError') ?? false
  }
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException'
}

/** A write of a transaction, without the table's name. */
export type Write =
  | { readonly put: Key & Record<string, unknown>; readonly condition?: string; readonly values?: Record<string, unknown> }
  | {
      readonly update: Key
      readonly expression: string
      readonly condition?: string
      readonly names?: Record<string, string>
      readonly values?: Record<string, unknown>
    }
  | {
      /** An item that is checked and not written. */
      readonly check: Key
      readonly condition: string
      readonly names?: Record<string, string>
      readonly values?: Record<string, unknown>
    }
  | {
      readonly delete: Key
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
  if ('delete' in write) {
    return { Delete: { ...common, Key: { ...write.delete }, ...(write.names && { ExpressionAttributeNames: write.names }) } }
  }
  if ('check' in write) {
    const names = write.names && { ExpressionAttributeNames: write.names }
    return { ConditionCheck: { ...common, ConditionExpression: write.condition, Key: { ...write.check }, ...names } }
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

/** `refused`: indexes of the writes whose conditions failed. Empty: another transaction was in the way. */
export type TransactResult = { readonly committed: true } | { readonly committed: false; readonly refused: readonly number[] }

/** For `retryRaces`: whether the writes were made. Undefined after a conflict, which is worth a retry. */
export const committedUnlessRefused = (result: TransactResult): boolean | undefined => {
  if (result.committed) return true
  return result.refused.length > 0 ? false : undefined
}

/** Makes all writes or none. @throws every error except failed conditions and conflicts */
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
