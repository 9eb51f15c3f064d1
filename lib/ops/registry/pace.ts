import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '#shared/platform/clock.ts'
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'
import { SECOND } from '#shared/platform/values/durations.ts'

/** Write units in a second. A table that is seldom busy takes 4,000, and calls need the rest. */
const UNITS_PER_SECOND = 1000

/** A function that waits until this process has not used more write units on average than the pace permits. */
export const newPace = (): (() => Promise<void>) => {
  const began = realNow()
  const before = consumedUnits.write
  return async () => {
    const wait = began + ((consumedUnits.write - before) / UNITS_PER_SECOND) * SECOND - realNow()
    if (wait > 0) await sleep(wait)
  }
}

/** Blocks between two looks at the pace. They take at most 800 write units, before changes make them longer. */
export const BLOCKS_AT_ONCE = 200

/** Hands blocks to `write`, some at a time, and waits after each time until the pace permits more. */
export const inPacedSteps = async <T>(
  blocks: readonly T[],
  pace: () => Promise<void>,
  write: (some: readonly T[]) => Promise<void>,
): Promise<void> => {
  for (let from = 0; from < blocks.length; from += BLOCKS_AT_ONCE) {
    await write(blocks.slice(from, from + BLOCKS_AT_ONCE))
    await pace()
  }
}
