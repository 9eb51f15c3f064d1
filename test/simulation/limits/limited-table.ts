import * as v from 'valibot'
import type { KeyLoads } from './key-loads.ts'
import { newPlaces, readsOf, type TableRequest, tableLoad, writesOf } from './table-request.ts'

const Consumed = v.object({ CapacityUnits: v.optional(v.number(), 0) })
const Answer = v.object({ ConsumedCapacity: v.optional(v.union([v.array(Consumed), Consumed])) })

/** Units of the table and its indexes together. */
const consumedIn = (answer: unknown): number =>
  [v.parse(Answer, answer).ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)

/** Units of a write whose condition failed: those of the item, which a transaction counts twice. */
const REFUSED = { ConditionalCheckFailedException: 1, TransactionCanceledException: 2, TransactionConflictException: 1 } as const

const isRefused = (error: string): error is keyof typeof REFUSED => Object.hasOwn(REFUSED, error)

/** Limits and counts the units of each partition. */
export type UnitCounter = Pick<KeyLoads, 'exhausted' | 'add'>

export interface LimitedTable {
  /** Notes a write that fills the table before a run, and charges nothing. */
  filled(operation: string, request: TableRequest): void
  /** Why DynamoDB would throttle a request now; undefined when it would not. */
  throttle(operation: string, request: TableRequest, at: number): string | undefined
  /** Charges a request that the engine answered. It must have asked for the consumed capacity. */
  answered(operation: string, request: TableRequest, answer: unknown, at: number): void
  /** Charges a request that the engine refused, by the name of its error. */
  refused(operation: string, request: TableRequest, error: string, at: number): void
}

/**
 * The limits of DynamoDB, which no local engine has: each partition of the table and of its indexes takes so many units in a second, and a
 * new table takes so many in all. A partition key counts as a partition: DynamoDB may split one whose load lasts, which helps nobody at
 * eight o'clock.
 */
export const limitedTable = (loads: UnitCounter): LimitedTable => {
  const places = newPlaces()

  return {
    filled: (operation, request) => places.made(writesOf(operation, request)),
    throttle: (operation, request, at) => {
      const writes = writesOf(operation, request)
      if (writes.length === 0) return loads.exhausted('read', readsOf(operation, request), at)
      const load = [...tableLoad(writes, 0), ...places.movedBy(writes)]
      return loads.exhausted(
        'write',
        load.map(({ partition }) => partition),
        at,
      )
    },
    answered: (operation, request, answer, at) => {
      const consumed = consumedIn(answer)
      const reads = readsOf(operation, request)
      const read = reads.map((partition) => ({ partition, units: consumed / reads.length }))
      loads.add('read', read, at)
      const writes = writesOf(operation, request)
      const moved = places.movedBy(writes)
      const inIndexes = moved.reduce((sum, { units }) => sum + units, 0)
      loads.add('write', [...tableLoad(writes, consumed - inIndexes), ...moved], at)
      places.made(writes)
    },
    refused: (operation, request, error, at) => {
      if (!isRefused(error)) return
      const writes = writesOf(operation, request)
      loads.add('write', tableLoad(writes, REFUSED[error] * writes.length), at)
    },
  }
}
