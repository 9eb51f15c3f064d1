import type { Instant } from '../../schema/values.ts'
import { DAY } from '../durations.ts'

/** The attempts of the last 24 hours. */
export const recentAttempts = (attempts: readonly Instant[], now: Instant): Instant[] => attempts.filter((at) => at > now - DAY)
