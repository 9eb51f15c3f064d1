import { ConditionalCheckFailedException, TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import * as v from 'valibot'
import type { client as tableClient } from '#shared/platform/table/client.ts'
import type { Chance } from './chance.ts'
import { invocation } from './invocations.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Typical milliseconds of a DynamoDB request from a function in the same region. */
const MILLISECONDS: Readonly<Record<string, number>> = {
  GetItemCommand: 4,
  QueryCommand: 6,
  BatchGetItemCommand: 8,
  PutItemCommand: 6,
  UpdateItemCommand: 6,
  TransactWriteItemsCommand: 20,
}
const OTHERS_MILLISECONDS = 10
/** Share of requests that take ten times as long. */
const SLOW_SHARE = 1 / 200

const Key = v.object({ pk: v.string(), sk: v.string() })
const Write = v.union([
  v.object({ Key }),
  v.pipe(
    v.object({ Item: Key }),
    v.transform(({ Item }) => ({ Key: Item })),
  ),
])
const SingleWrite = v.pipe(
  Write,
  v.transform(({ Key: { pk, sk } }) => [`${pk} ${sk}`]),
)
const Transaction = v.pipe(
  v.object({
    TransactItems: v.array(
      v.pipe(
        v.record(v.string(), Write),
        v.transform((item) => Object.values(item)[0]?.Key),
      ),
    ),
  }),
  v.transform(({ TransactItems }) => TransactItems.map((key) => `${key?.pk} ${key?.sk}`)),
)

/** The items that a command writes, except deletes. */
const keysIn = (name: string, input: object): readonly string[] => {
  if (name === 'TransactWriteItemsCommand') return v.parse(Transaction, input)
  const single = v.safeParse(SingleWrite, name === 'PutItemCommand' || name === 'UpdateItemCommand' ? input : undefined)
  return single.success ? single.output : []
}

const conflict = (count: number, isHeld: (index: number) => boolean) =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'Another transaction holds an item.',
    CancellationReasons: Array.from({ length: count }, (_, index) => ({ Code: isHeld(index) ? 'TransactionConflict' : 'None' })),
  })

/** Units that AWS charges for a rejected write, for items up to 1 KB. */
const turnedAway = (error: unknown, items: number): number => {
  if (error instanceof TransactionCanceledException) return 2 * items
  return error instanceof ConditionalCheckFailedException || error instanceof TransactionConflictException ? 1 : 0
}

export interface TableTimeOptions {
  readonly clients: readonly (typeof tableClient)[]
  readonly time: VirtualTime
  readonly chance: Chance
  /** Factor on all durations. 1 is normal. */
  readonly slowness: number
}

/**
 * From here on, requests of the clients take time and count for the function run that makes them. A transaction holds its items for the
 * middle third of its time: meanwhile, other transactions and single writes on them are rejected as on DynamoDB.
 */
export const passTimeAtTable = async ({ clients, time, chance, slowness }: TableTimeOptions): Promise<void> => {
  const { unitsIn } = await import('#shared/platform/table/consumed-units.ts')
  const held = new Set<string>()
  /** By the context of a command: tells the clock that the request is on its way to the engine. */
  const sending = new WeakMap<object, () => void>()

  /** Why the table refuses a write of items that a transaction holds. */
  const refusalOf = (keys: readonly string[], isTransaction: boolean): Error | undefined => {
    const isHeld = keys.map((key) => held.has(key))
    if (!isHeld.includes(true)) return undefined
    if (!isTransaction) return new TransactionConflictException({ $metadata: {}, message: 'A transaction holds the item.' })
    return conflict(keys.length, (index) => isHeld[index] === true)
  }
  const hold = async (keys: readonly string[], duration: number): Promise<void> => {
    for (const key of keys) held.add(key)
    await time.sleep(duration)
    for (const key of keys) held.delete(key)
  }

  for (const client of clients) {
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const name = `${context['commandName']}`
        const usual = (MILLISECONDS[name] ?? OTHERS_MILLISECONDS) * slowness * chance.between(0.7, 1.5)
        const third = (chance.happens(SLOW_SHARE) ? 10 * usual : usual) / 3
        const isTransaction = name === 'TransactWriteItemsCommand'
        const keys = keysIn(name, args.input)
        const own = invocation()
        await time.sleep(third)
        try {
          const refusal = refusalOf(keys, isTransaction)
          if (refusal) {
            await time.sleep(third)
            throw refusal
          }
          if (isTransaction) await hold(keys, third)
          if (own) own.requests++
          const result = await time.ahead(third, (sent) => {
            sending.set(context, sent)
            return next(args)
          })
          const { read, write } = unitsIn(name, result.output)
          if (own) {
            const received = own.received + JSON.stringify(result.output).length
            Object.assign(own, { read: own.read + read, write: own.write + write, received })
          }
          return result
        } catch (error) {
          if (own) own.turnedAway += turnedAway(error, keys.length)
          throw error
        }
      },
      // The client's own count of units is outside: it sees an answer when the function does.
      { step: 'initialize', priority: 'low', name: 'virtualTime' },
    )
    client.middlewareStack.add(
      (next, context) => (args) => {
        sending.get(context)?.()
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low', name: 'sent' },
    )
  }
}
