import { giveBackId, nextId } from './ids.ts'

/** The id of one thing that a request may create. */
export interface Reservation {
  /** Names the thing among all that requests create; undefined when the request cannot be repeated. */
  readonly name: string | number | undefined
  /** The id that this run or an earlier one has taken: something may have been written with it. */
  readonly known: () => number | undefined
  /** The id, which is on record before anything is written with it: a repeat of the request gets the same one. */
  readonly take: () => Promise<number>
  /** For a taken id that certainly nothing was written with, nor will be. */
  readonly giveBack: (id: number) => Promise<void>
}

/** Of a request that cannot be repeated. */
export const unrecorded: Reservation = {
  name: undefined,
  known: () => undefined,
  take: nextId,
  giveBack: async (id) => giveBackId(id),
}
