import { SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'

/** In seconds, as the table's time to live wants it, and conditions on that. */
export const inSeconds = (at: Instant): number => Math.floor(at / SECOND)

/** `expires_at` of an item that is kept for `kept` milliseconds. */
export const expiresAt = (at: Instant, kept: number): number => inSeconds(at + kept)

/** Whether an item has not expired: the table may hold it for days longer. Null: it does not. */
export const isKept = ({ expires_at }: { readonly expires_at: number | null }, at: Instant): boolean =>
  expires_at === null || expires_at * SECOND > at
