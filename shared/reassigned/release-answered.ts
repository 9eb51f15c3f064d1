import { checksNumbers } from '../accounts/lead-type-store.ts'
import { namedUsers } from '../accounts/names.ts'
import { addMark } from '../backlog/marks.ts'
import { reassignedHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { inLanes } from '../platform/lanes.ts'

/** Users that are looked at in parallel. */
const LANES = 50

/** Marks a user without held leads too: a dial that read no answer may hold a lead a moment later. */
const release = async (owner: number): Promise<void> => {
  if (await checksNumbers(owner)) await addMark(reassignedHolder(owner), now())
}

/**
 * Makes the sweep plan again the leads that wait for an answer. An import calls it before it stores answers, for the case that it dies, and
 * after it.
 */
export const releaseAnswered = async (): Promise<void> => {
  await inLanes(LANES, await namedUsers(), release)
}
