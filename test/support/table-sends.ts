import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/**
 * While `run` runs, `before` sees each command before it goes to the table: it may fail it, do something first, or have it sent once more.
 */
export const beforeEachSend = async <T>(
  before: (command: unknown, send: () => Promise<unknown>) => unknown,
  run: () => Promise<T>,
): Promise<T> => {
  const { send } = DynamoDBDocumentClient.prototype
  const watched = async function (this: DynamoDBDocumentClient, ...args: unknown[]): Promise<unknown> {
    const sendOn = () => Reflect.apply(send, this, args) as Promise<unknown>
    await before(args[0], sendOn)
    return sendOn()
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: watched })
  try {
    return await run()
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send })
  }
}
