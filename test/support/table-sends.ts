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

/** While `run` runs, the answers to some queries begin with further items. */
export const withMoreItems = async <T>(
  isMeant: (command: unknown) => boolean,
  more: readonly object[],
  run: () => Promise<T>,
): Promise<T> => {
  const { send } = DynamoDBDocumentClient.prototype
  const longer = async function (this: DynamoDBDocumentClient, ...args: unknown[]): Promise<unknown> {
    const answer = await (Reflect.apply(send, this, args) as Promise<{ Items?: object[] }>)
    const [command] = args as [{ input: { Limit?: number } }]
    return isMeant(command) ? { ...answer, Items: [...more, ...(answer.Items ?? [])].slice(0, command.input.Limit) } : answer
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: longer })
  try {
    return await run()
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send })
  }
}
