import { type Cadence, LONGEST_DELAY } from '../../../accounts/configuration.ts'
import { SECOND } from '../../../platform/values/durations.ts'
import type { ReportedOutcome } from '../../call.ts'

/** Milliseconds of a delay that is set in seconds. */
export const delayOf = (seconds: number): number => Math.min(seconds, LONGEST_DELAY) * SECOND

/**
 * Milliseconds until the next call, after `placed` calls of the lead's round (1 or more). The outcome reported for the latest call
 * decides. Undefined after the last step.
 */
export const nextDelay = (cadence: Cadence, placed: number, reported: ReportedOutcome): number | undefined => {
  if (placed >= cadence.max_attempts) return undefined
  const delays = cadence.delays_by_outcome[reported] ?? cadence.delays
  const delay = delays[Math.max(0, placed - 1)] ?? delays.at(-1)
  return delay === undefined ? undefined : delayOf(delay)
}
