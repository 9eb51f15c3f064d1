import type { Instant } from './values.ts'

/** The day of an instant in UTC, as YYYY-MM-DD. */
export const dayOf = (at: Instant): string => new Date(at).toISOString().slice(0, 10)
