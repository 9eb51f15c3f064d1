import { HOUR } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Upload } from '../upload.ts'

/** Milliseconds. After transient errors, work without progress is retried for this long: services are down for hours at times. */
export const MOST_TIME_FAILING = 24 * HOUR

/**
 * Whether work on an upload without progress must stop. It stops after more than `most` attempts with permanent errors. After transient
 * errors it stops only after MOST_TIME_FAILING and more than `most` attempts. Time alone does not count: while the service itself is down,
 * nothing is tried.
 */
export const hasFailedForGood = ({ tries, passing, failing_since }: Upload, most: number, at: Instant): boolean =>
  tries - passing > most || (tries > most && failing_since !== null && failing_since + MOST_TIME_FAILING <= at)
