import type { Instant } from './values.ts'

/** Lengths of time in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Whole seconds until an instant, rounded up so that nothing comes early; 0 when the instant has passed. */
export const secondsUntil = (instant: Instant, at: Instant): number => Math.max(0, Math.ceil((instant - at) / SECOND))
