import * as v from 'valibot'
import type { KeyLoads, Kind } from './key-loads.ts'
import { type ItemWrite, newPlaces, type PartitionKey, readsOf, type TableRequest, tableLoad, writesOf } from './table-request.ts'

const Consumed = v.object({ CapacityUnits: v.optional(v.number(), 0) })
const Answer = v.object({ ConsumedCapacity: v.optional(v.union([v.array(Consumed), Consumed])) })

/** Units of the table and its indexes together. */
const consumedIn = (answer: unknown): number =>
  [v.parse(Answer, answer).ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)

/** Units of a write whose condition failed: those of the item, which a transaction counts twice. */
const REFUSED = { ConditionalCheckFailedException: 1, TransactionCanceledException: 2, TransactionConflictException: 1 } as const

const isRefused = (error: string): error is keyof typeof REFUSED => Object.hasOwn(REFUSED, error)

/** Limits and counts the units of each partition. */
export type UnitCounter = Pick<KeyLoads, 'exhausted' | 'isClose' | 'add'>

/** The reads and writes of a request. */
export interface Asked {
  readonly reads: readonly PartitionKey[]
  readonly writes: readonly ItemWrite[]
}

export const askedOf = (operation: string, request: TableRequest): Asked => ({
  reads: readsOf(operation, request),
  writes: writesOf(operation, request),
})

/** Partitions that a request loads, with a key for each item and each place in an index. */
export interface Touched {
  readonly kind: Kind
  readonly partitions: readonly PartitionKey[]
}

export interface LimitedTable {
  /** Notes a write that fills the table before a run, and charges nothing. */
  filled(asked: Asked): void
  /** The partitions that a request would load if it came now. */
  touched(asked: Asked): Touched
  /** Why DynamoDB would throttle a request now; undefined when it would not. */
  throttle(touched: Touched, at: number): string | undefined
  /** Charges a request that the engine answered. It must have asked for the consumed capacity. */
  answered(asked: Asked, answer: unknown, at: number): void
  /** Charges a request that the engine refused, by the name of its error. */
  refused(asked: Asked, error: string, at: number): void
}

/**
 * The limits of DynamoDB, which no local engine has: each partition of the table and of its indexes takes so many units in a second, and a
 * new table takes so many in all. A partition key counts as a partition: DynamoDB may split one whose load lasts, which helps nobody at
 * eight o'clock.
 */
export const limitedTable = (loads: UnitCounter): LimitedTable => {
  const places = newPlaces()

  return {
    filled: ({ writes }) => places.made(writes),
    touched: ({ reads, writes }) =>
      writes.length === 0
        ? { kind: 'read', partitions: reads }
        : { kind: 'write', partitions: [...tableLoad(writes, 0), ...places.movedBy(writes)].map(({ partition }) => partition) },
    throttle: ({ kind, partitions }, at) => loads.exhausted(kind, partitions, at),
    answered: ({ reads, writes }, answer, at) => {
      const consumed = consumedIn(answer)
      const read = reads.map((partition) => ({ partition, units: consumed / reads.length }))
      loads.add('read', read, at)
      const moved = places.movedBy(writes)
      const inIndexes = moved.reduce((sum, { units }) => sum + units, 0)
      loads.add('write', [...tableLoad(writes, consumed - inIndexes), ...moved], at)
      places.made(writes)
    },
    refused: ({ writes }, error, at) => {
      if (isRefused(error)) loads.add('write', tableLoad(writes, REFUSED[error] * writes.length), at)
    },
  }
}
