import { setting } from './environment.ts'
import type { Instant } from './values/values.ts'

let clock = (): Instant => Date.now() + setting('CLOCK_OFFSET_MS')

/** The service's clock: windows, due instants and every time that is stored. */
export const now = (): Instant => clock()

/** Replaces the service's clock: a test's time passes only when the test says so. */
export const useClock = (replacement: () => Instant): void => {
  clock = replacement
}

/** The machine's clock: signatures and presigned URLs, which others check against theirs. */
export const realNow = (): Instant => Date.now()
