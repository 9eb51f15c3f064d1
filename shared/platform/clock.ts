import { setting } from './environment.ts'
import type { Instant } from './values/values.ts'

let clock = (): Instant => Date.now() + setting('CLOCK_OFFSET_MS')

/** The service's clock: for calling windows, due instants and all stored times. */
export const now = (): Instant => clock()

/** Replaces the service's clock: in a test, time passes only when the test says so. */
export const useClock = (replacement: () => Instant): void => {
  clock = replacement
}

/** The machine's clock: for signatures and presigned URLs, which others check against their own clock. */
export const realNow = (): Instant => Date.now()
