import { DAY } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'

/** The attempts of the last 24 hours. */
export const recentAttempts = (attempts: readonly Instant[], now: Instant): Instant[] => attempts.filter((at) => at > now - DAY)

/** The first instant at or after `at` with fewer than `max` attempts in the 24 hours before it; null when there never is one. */
export const whenBelow = (attempts: readonly Instant[], max: number, at: Instant): Instant | null => {
  const recent = recentAttempts(attempts, at).toSorted((a, b) => a - b)
  if (recent.length < max) return at
  return max === 0 ? null : (recent[recent.length - max] ?? at) + DAY
}
