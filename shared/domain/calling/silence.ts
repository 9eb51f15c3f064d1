import type { Call } from '../../schema/call.ts'
import type { Instant } from '../../schema/values.ts'
import { HOUR, MINUTE } from '../time.ts'

/** No word from the agent for this long after it took the call. */
const AFTER_ACCEPTANCE = 10 * MINUTE
/** No end for this long after the answer. */
const AFTER_ANSWER = 2 * HOUR
/** An end without a completion for this long. */
const AFTER_END = 2 * MINUTE

/**
 * The instant from which a call that says nothing more counts as lost. One that the provider never confirmed may be
 * ringing all the same: its phone is kept from other calls as long as if it had been accepted.
 */
export const silentFrom = (call: Call): Instant => {
  if (call.ended_time !== null) return call.ended_time + AFTER_END
  if (call.answered_time !== null) return call.answered_time + AFTER_ANSWER
  return (call.accepted_time ?? call.not_after) + AFTER_ACCEPTANCE
}
