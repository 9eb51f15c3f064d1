import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { getLines } from '#shared/calling/line-store.ts'
import { linesKey } from '#shared/platform/keys.ts'

/** The item of an owner's lines as it is now. */
export const linesAsStored = async (owner: number): Promise<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(await getLines(owner)).filter(([, value]) => value !== null))

/** While it runs, the first `times` eventually consistent reads of an owner's lines return an old item. @returns how many did */
export const withOldLines = async (owner: number, old: Record<string, unknown>, times: number, run: () => Promise<unknown>) => {
  const { send } = DynamoDBDocumentClient.prototype
  const { pk } = linesKey(owner)
  let left = times
  const stale = async function (this: DynamoDBDocumentClient, ...args: unknown[]): Promise<unknown> {
    const [command] = args
    if (command instanceof GetCommand && command.input.ConsistentRead === false && command.input.Key?.['pk'] === pk && left > 0) {
      left--
      return { Item: { ...old, calls: new Set(old['calls'] as Set<string>) } }
    }
    return Reflect.apply(send, this, args)
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: stale })
  try {
    await run()
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send })
  }
  return times - left
}
