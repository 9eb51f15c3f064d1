import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import { client } from '#shared/platform/table/client.ts'
import type { Chance } from '../lateness/chance.ts'
import { type Condition, planted } from './plants.ts'
import { acceptedCall, dialledCall, keysOf, type TableInput } from './table-input.ts'

/** A try to write a call's intent, as its caller saw it. Milliseconds as `performance.now()`. */
export interface DialTransaction {
  readonly callId: string
  readonly begun: number
  readonly answered: number
  /** `conflict`: another transaction held an item. `condition`: something had changed since it was read. */
  readonly result: 'committed' | 'condition' | 'conflict'
}

export interface Weather {
  readonly dials: DialTransaction[]
  /** By call: when the table had written that the agent accepted it, as `performance.now()`. */
  readonly accepted: Map<string, number>
  readonly conflicts: { single: number; transactions: number }
  /** Removes a condition from a lead's dial transactions. */
  plant(lead: number, plant: Condition): void
  stop(): void
}

const WAY = [0, 6] as const
/** Share of writes that conflict with a simulated foreign transaction. */
const UNSEEN = 0.01

const WRITES = new Set(['PutItemCommand', 'UpdateItemCommand', 'DeleteItemCommand', 'TransactWriteItemsCommand'])
const NAME = 'tableWeather'

const conflictOf = (input: TableInput): Error => {
  const common = { $metadata: {}, message: 'Transaction is ongoing for the item' }
  if (!input.TransactItems) return new TransactionConflictException(common)
  const [, ...others] = input.TransactItems
  return new TransactionCanceledException({
    ...common,
    CancellationReasons: [{ Code: 'TransactionConflict' }, ...others.map(() => ({ Code: 'None' }))],
  })
}

const resultOf = (error: unknown): DialTransaction['result'] => {
  const codes = error instanceof TransactionCanceledException ? error.CancellationReasons?.map(({ Code }) => Code) : []
  return codes?.includes('ConditionalCheckFailed') ? 'condition' : 'conflict'
}

/**
 * Makes the table behave like DynamoDB where the local engine is too kind: requests take time, and a write is rejected while a transaction
 * holds its item. Records dial transactions.
 * @param way least and most milliseconds of a request to the table, and the same back
 */
export const startWeather = (chance: Chance, way: readonly [number, number] = WAY): Weather => {
  const inTransaction = new Map<string, number>()
  const inSingleWrite = new Map<string, number>()
  const dials: DialTransaction[] = []
  const accepted = new Map<string, number>()
  const conflicts = { single: 0, transactions: 0 }
  const plants = new Map<number, Condition>()

  const travel = async (): Promise<void> => {
    if (way[1] > 0) await sleep(chance.between(...way))
  }
  const hold = async <T>(held: Map<string, number>, keys: readonly string[], run: () => Promise<T>): Promise<T> => {
    for (const key of keys) held.set(key, (held.get(key) ?? 0) + 1)
    try {
      return await run()
    } finally {
      for (const key of keys) held.set(key, (held.get(key) ?? 1) - 1)
    }
  }
  const write = async <T>(input: TableInput, run: () => Promise<T>): Promise<T> => {
    const keys = keysOf(input)
    const isTransaction = input.TransactItems !== undefined
    const isHeld = (held: Map<string, number>) => keys.some((key) => (held.get(key) ?? 0) > 0)
    if (isHeld(inTransaction) || (isTransaction && isHeld(inSingleWrite)) || chance.happens(UNSEEN)) {
      conflicts[isTransaction ? 'transactions' : 'single']++
      throw conflictOf(input)
    }
    return hold(isTransaction ? inTransaction : inSingleWrite, keys, run)
  }
  const noted = async <T>(callId: string | undefined, run: () => Promise<T>): Promise<T> => {
    if (callId === undefined) return run()
    const begun = performance.now()
    const note = (result: DialTransaction['result']) => dials.push({ callId, begun, answered: performance.now(), result })
    try {
      const result = await run()
      note('committed')
      return result
    } catch (error) {
      note(resultOf(error))
      throw error
    }
  }

  client.middlewareStack.add(
    (next, context) => async (args) => {
      await travel()
      const input = args.input as TableInput
      const callId = dialledCall(input)
      const plant = callId === undefined ? undefined : plants.get(Number.parseInt(callId, 10))
      const sent = plant ? { ...args, input: planted(plant, input) as typeof args.input } : args
      const run = () => next(sent)
      try {
        const result = await noted(callId, () => (WRITES.has(`${context['commandName']}`) ? write(input, run) : run()))
        const taken = acceptedCall(input)
        if (taken !== undefined && !accepted.has(taken)) accepted.set(taken, performance.now())
        return result
      } finally {
        await travel()
      }
    },
    { step: 'initialize', name: NAME },
  )
  return {
    dials,
    accepted,
    conflicts,
    plant: (lead, plant) => void plants.set(lead, plant),
    stop: () => void client.middlewareStack.remove(NAME),
  }
}
