import type { ReportedOutcome } from '../../schema/call.ts'
import type { Cadence } from '../../schema/configuration.ts'
import { SECOND } from '../durations.ts'

/**
 * Milliseconds until the next call after `placed` calls since creation or the last reengagement (1 or more), by what the agent
 * reported of the latest; undefined after the last step.
 */
export const nextDelay = (cadence: Cadence, placed: number, reported: ReportedOutcome): number | undefined => {
  if (placed >= cadence.max_attempts) return undefined
  const delays = cadence.delays_by_outcome[reported] ?? cadence.delays
  const delay = delays[Math.max(0, placed - 1)] ?? delays.at(-1)
  return delay === undefined ? undefined : delay * SECOND
}
