import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** While `run` runs, `before` sees each command before the table does. It may fail the command, act first, or send it again. */
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
