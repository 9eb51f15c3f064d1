import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** Answers a command. `send` sends it to the table. */
type Answer = (command: unknown, send: () => Promise<unknown>) => unknown

/** While `run` runs, `answer` answers each command to the table. */
export const withAnswers = async <T>(answer: Answer, run: () => Promise<T>): Promise<T> => {
  const { send } = DynamoDBDocumentClient.prototype
  const answered = async function (this: DynamoDBDocumentClient, ...args: unknown[]): Promise<unknown> {
    return answer(args[0], () => Reflect.apply(send, this, args) as Promise<unknown>)
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: answered })
  try {
    return await run()
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send })
  }
}

/** While `run` runs, `before` sees each command before the table does. It may fail the command, act first, or send it again. */
export const beforeEachSend = <T>(before: Answer, run: () => Promise<T>): Promise<T> =>
  withAnswers(async (command, send) => {
    await before(command, send)
    return send()
  }, run)

/** While `run` runs, the answers to some queries begin with further items. */
export const withMoreItems = <T>(isMeant: (command: unknown) => boolean, more: readonly object[], run: () => Promise<T>): Promise<T> =>
  withAnswers(async (command, send) => {
    const answer = (await send()) as { Items?: object[] }
    const { input } = command as { input: { Limit?: number } }
    return isMeant(command) ? { ...answer, Items: [...more, ...(answer.Items ?? [])].slice(0, input.Limit) } : answer
  }, run)
