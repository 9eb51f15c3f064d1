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
  const { consumedUnits } = await import('#shared/platform/table/consumed-units.ts')
  const held = new Set<string>()

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = { ...consumedUnits }
    const own = invocation()
    try {
      return await time.atOnce(work)
    } finally {
      if (own) {
        own.requests++
        own.read += consumedUnits.read - before.read
        own.write += consumedUnits.write - before.write
      }
    }
  }

  const transact = async <T>(keys: readonly string[], duration: number, work: () => Promise<T>): Promise<T> => {
    const isHeld = keys.map((key) => held.has(key))
    if (isHeld.includes(true)) throw conflict(keys.length, (index) => isHeld[index] === true)
    for (const key of keys) held.add(key)
    try {
      await time.sleep(duration)
      return await counted(work)
    } finally {
      for (const key of keys) held.delete(key)
    }
  }

  for (const client of clients) {
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const name = `${context['commandName']}`
        const usual = (MILLISECONDS[name] ?? OTHERS_MILLISECONDS) * slowness * chance.between(0.7, 1.5)
        const duration = chance.happens(SLOW_SHARE) ? 10 * usual : usual
        const single = v.safeParse(SingleWrite, name === 'PutItemCommand' || name === 'UpdateItemCommand' ? args.input : undefined)
        const keys = name === 'TransactWriteItemsCommand' ? v.parse(Transaction, args.input) : single.success ? single.output : []
        await time.sleep(duration / 3)
        try {
          if (name === 'TransactWriteItemsCommand') return await transact(keys, duration / 3, () => next(args))
          if (keys.some((key) => held.has(key)))
            throw new TransactionConflictException({ $metadata: {}, message: 'A transaction holds the item.' })
          return await counted(() => next(args))
        } catch (error) {
          const own = invocation()
          if (own) own.turnedAway += turnedAway(error, keys.length)
          throw error
        } finally {
          await time.sleep(duration / 3)
        }
      },
      { step: 'initialize', priority: 'high', name: 'virtualTime' },
    )
  }
}
