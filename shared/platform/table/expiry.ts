import { SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'

/** Seconds, as the table's time to live needs them, and conditions on it. */
export const inSeconds = (at: Instant): number => Math.floor(at / SECOND)

/** `expires_at` of an item that lives for `kept` milliseconds. */
export const expiresAt = (at: Instant, kept: number): number => inSeconds(at + kept)

/** Whether an item has not expired. The table may hold an expired item for days. Null: it does not expire. */
export const isKept = ({ expires_at }: { readonly expires_at: number | null }, at: Instant): boolean =>
  expires_at === null || expires_at * SECOND > at
