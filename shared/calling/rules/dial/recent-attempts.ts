import { DAY } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'

/** The attempts of the last 24 hours. */
export const recentAttempts = (attempts: readonly Instant[], now: Instant): Instant[] => attempts.filter((at) => at > now - DAY)

/** The first instant from `at` on with fewer than `max` attempts in the 24 hours before it; null when there is none. */
export const whenBelow = (attempts: readonly Instant[], max: number, at: Instant): Instant | null => {
  const recent = recentAttempts(attempts, at).toSorted((a, b) => a - b)
  if (recent.length < max) return at
  return max === 0 ? null : (recent[recent.length - max] ?? at) + DAY
}
