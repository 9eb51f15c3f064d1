import { realNow } from '#shared/platform/clock.ts'
import type { Reservation } from '#shared/platform/ids/reservations.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { createItem, isUnfinished, NO_TIME, type Result, readNewLead } from './items.ts'

/** Leads of different phones that are created at one moment. */
const LANES = 16

/** The gateway waits for 29 s, which began a while ago: what is not done by then is answered as such, rather than nothing as a whole. */
const TIME = 20 * SECOND

interface Reserved {
  /** The id of a new lead, by the item's place among those that are valid: always the same one, whatever the table holds. */
  readonly reservation: (place: number) => Reservation
  /** Whether an earlier run may have created some of them. Default: no. */
  readonly isRepeat?: boolean
}

interface Created {
  readonly results: Result[]
  readonly isFinished: boolean
}

/**
 * Creates leads with the same result as if they came one by one: those of one phone in the order given, others at the same time.
 * @returns what became of each, in the order given, and whether a repeat has nothing left to do
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
