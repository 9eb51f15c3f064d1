import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { noticingBusy } from './busy.ts'
import { metered } from './consumed-units.ts'

export const client = noticingBusy(
  metered(DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } })),
)

/** An item as the table stores it: without null values. */
export const compact = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined))
