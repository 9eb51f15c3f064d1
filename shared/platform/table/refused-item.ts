import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'

/** Whether the table refused an item or a key for a permanent reason, such as its size. A retry would fail too. */
export const isRefusedItem = (error: unknown): boolean => {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.some(({ Code }) => Code === 'ValidationError') ?? false
  }
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException'
}
