import { realNow } from '#shared/adapters/clock.ts'
import { SECOND } from '#shared/domain/time.ts'
import { createItem, failed, type Result, readItem } from './items.ts'

/** Leads of different phones that are created at one moment. */
const LANES = 16

/** The gateway waits for 29 s: what is not begun by then is answered as such, rather than nothing as a whole. */
const TIME = 25 * SECOND

/**
 * Creates leads with the same result as if they came one by one: those of one phone in the order given, others at the same time.
 * @param reservedIds ids that new leads are to have, by place; none when the request cannot be repeated
 * @returns what became of each, in the order given
 */
export const createAll = async (owner: number, items: readonly unknown[], reservedIds: readonly number[]): Promise<Result[]> => {
  const end = realNow() + TIME
  const read = await Promise.all(items.map((item) => readItem(owner, item)))
  const valid = read.flatMap((one, place) => ('input' in one ? { ...one, place } : []))
  const phones = Map.groupBy(valid, ({ input }) => input.phone_number).values()
  const results = new Map<number, Result>()
  const lane = async (): Promise<void> => {
    for (const group of phones) {
      for (const { place, input } of group) {
        if (realNow() < end) results.set(place, await createItem(owner, input, reservedIds[place]))
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return read.map((one, place) =>
    'result' in one ? one.result : (results.get(place) ?? failed('There was no time left for this lead. Please send it again.')),
  )
}
