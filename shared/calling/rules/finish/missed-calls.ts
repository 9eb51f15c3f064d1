import type { Lead } from '../../../leads/lead.ts'
import { isCallable } from '../../../leads/rules/status.ts'
import type { Call } from '../../call.ts'
import { NO_NEXT_CALL } from '../next-call.ts'

/** Whether the cadence counts a call. The latest counts also when it was refused: its end takes that back. */
const counts = (call: Call, latest: Call): boolean =>
  call.call_direction === 'outbound' && (call.refused_time === null || call.call_id === latest.call_id)

/**
 * A lead that was restored from a backup, once it counts the calls that came after that backup. The outcome of the latest one decides how
 * it goes on, unless the lead is not called any more.
 * @param missed calls whose attempt numbers the lead has not come to, the newest first; at least one
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
