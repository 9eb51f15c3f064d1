import { afterAll, beforeAll } from '@jest/globals'

/** Longer than the functions cache settings, users and keys. Milliseconds. */
const CACHED = 11_000

/** Caches go by the machine's clock. Moves this clock during a suite, so that they expire at once. */
export const movableMachineClock = () => {
  const { now: machineNow } = Date
  let ahead = 0
  beforeAll(() => {
    Date.now = () => machineNow() + ahead
  })
  afterAll(() => {
    Date.now = machineNow
  })
  return {
    forgetConfiguration: (): void => {
      ahead += CACHED
    },
  }
}
