import type { Lead } from '../../../leads/lead.ts'
import { isCallable } from '../../../leads/rules/status.ts'
import type { Call } from '../../call.ts'
import { NO_NEXT_CALL } from '../next-call.ts'

/** Whether the cadence counts a call. The latest one counts even if it was refused: applying its end takes that back. */
const counts = (call: Call, latest: Call): boolean =>
  call.call_direction === 'outbound' && (call.refused_time === null || call.call_id === latest.call_id)

/**
 * A lead that was restored from a backup, after it counts the calls made since that backup. The outcome of the latest call decides how
 * the lead continues, if it may still be called.
 * @param missed calls with attempt numbers beyond the lead's, the newest first; at least one
 */
export const withMissedCalls = (lead: Lead, missed: readonly [latest: Call, ...earlier: Call[]]): Lead => {
  const [latest] = missed
  const isOpen = isCallable(lead.status) && !lead.call_dnc
  return {
    ...lead,
    ...(isOpen && { ...NO_NEXT_CALL, current_call: latest.call_id }),
    version: lead.version + 1,
    cause: 'schedule',
    attempts: latest.attempt,
    round_attempts: lead.round_attempts + missed.filter((call) => counts(call, latest)).length,
  }
}
