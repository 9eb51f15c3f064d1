import type { Instant } from '../schema/values.ts'
import { setting } from './environment.ts'

/** The service's clock: windows, due instants and every time that is stored. */
export const now = (): Instant => Date.now() + setting('CLOCK_OFFSET_MS')

/** The machine's clock: signatures and presigned URLs, which others check against theirs. */
export const realNow = (): Instant => Date.now()
