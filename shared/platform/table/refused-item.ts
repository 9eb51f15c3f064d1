import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'

/** Whether the table refused an item or a key for what it is, and would however often it is written: too large, too long. */
export const isRefusedItem = (error: unknown): boolean => {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.some(({ Code }) => Code === 'ValidationError') ?? false
  }
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException'
}
