import { giveBackId, nextId } from './ids.ts'

/** The id of one thing that a request may create. */
export interface Reservation {
  /** Unique name of the thing. Undefined when the request cannot be repeated. */
  readonly name: string | number | undefined
  /** The id that this run or an earlier one has taken. Something may have been written with it. */
  readonly known: () => number | undefined
  /** Takes the id, and records it before anything is written with it: a repeat of the request gets the same id. */
  readonly take: () => Promise<number>
  /** Only for a taken id with which nothing was or will be written. */
  readonly giveBack: (id: number) => Promise<void>
}

/** For a request that cannot be repeated. */
export const unrecorded: Reservation = {
  name: undefined,
  known: () => undefined,
  take: nextId,
  giveBack: async (id) => giveBackId(id),
}
