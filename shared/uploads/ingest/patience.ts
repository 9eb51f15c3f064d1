import { HOUR } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Upload } from '../upload.ts'

/** For how long work is taken up again that gets no further by what passes, in milliseconds: engines are away for hours at times. */
export const MOST_TIME_FAILING = 24 * HOUR

/**
 * Whether work on an upload that gets no further is not to begin again: it broke off by faults of its own more than `most` times, or by
 * what passes for so long, and as often: while the service itself stood still, nothing was tried.
 */
export const hasFailedForGood = ({ tries, passing, failing_since }: Upload, most: number, at: Instant): boolean =>
  tries - passing > most || (tries > most && failing_since !== null && failing_since + MOST_TIME_FAILING <= at)
