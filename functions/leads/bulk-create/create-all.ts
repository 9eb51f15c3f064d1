import { realNow } from '#shared/platform/clock.ts'
import type { Reservation } from '#shared/platform/ids/reservations.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { createItem, isUnfinished, NO_TIME, type Result, readNewLead } from './items.ts'

/** Number of phones whose leads are created concurrently. */
const LANES = 16

/**
 * API Gateway waits for 29 s, and a part of that has passed. Items that are not done by then are answered as such: otherwise the client
 * gets no answer at all.
 */
const TIME = 20 * SECOND

interface Reserved {
  /** The id of a new lead, by the item's place among the valid ones. A repeat gets the same id, whatever the table holds. */
  readonly reservation: (place: number) => Reservation
  /** Whether an earlier run may have created some leads. Default: no. */
  readonly isRepeat?: boolean
}

interface Created {
  readonly results: Result[]
  readonly isFinished: boolean
}

/**
 * Creates leads with the same result as one by one. Leads of one phone are created in the given order, others concurrently.
 * @returns the result of each item, in the given order, and whether a repeat has nothing left to do
 */
export const createAll = async (
  owner: number,
  items: readonly unknown[],
  { reservation, isRepeat = false }: Reserved,
): Promise<Created> => {
  const end = realNow() + TIME
  const read = await Promise.all(items.map((item) => readNewLead(owner, item)))
  const valid = read.flatMap((one, place) => ('input' in one ? { ...one, place } : []))
  const phones = Map.groupBy(
    valid.map((one, index) => ({ ...one, reservation: reservation(index) })),
    ({ input }) => input.phone_number,
  ).values()
  const done = new Map<number, Result>()
  const lane = async (): Promise<void> => {
    for (const group of phones) {
      for (const { place, input, reservation: own } of group) {
        if (realNow() < end) done.set(place, await createItem(owner, input, { reservation: own, isRepeat, giveUpAt: end }))
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const results = read.map((one, place) => ('result' in one ? one.result : (done.get(place) ?? NO_TIME)))
  return { results, isFinished: !results.some(isUnfinished) }
}
