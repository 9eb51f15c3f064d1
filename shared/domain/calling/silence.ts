import type { Call } from '../../schema/call.ts'
import type { Instant } from '../../schema/values.ts'
import { HOUR, MINUTE } from '../durations.ts'

/** No word from the agent for this long after it took the call. */
export const AFTER_ACCEPTANCE = 10 * MINUTE
/** No completion for this long after the answer. */
export const AFTER_ANSWER = 2 * HOUR

/**
 * The instant from which a call that says nothing more counts as lost. One that the provider never confirmed may be
 * ringing all the same: its phone is kept from other calls as long as if it had been accepted.
 */
export const silentFrom = (call: Call): Instant =>
  call.answered_time !== null
    ? call.answered_time + AFTER_ANSWER
    : (call.accepted_time ?? call.heard_time ?? call.not_after) + AFTER_ACCEPTANCE

/** Whether a phone may be ringing or in conversation for this call at an instant, as far as anybody knows. */
export const mayBeOnThePhone = (call: Call, now: Instant): boolean =>
  call.refused_time === null && call.completed_time === null && call.ended_time === null && now < silentFrom(call)

/** Whether nobody knows what became of a call, and its phone is free: an outcome told after all need not be waited for. */
export const isLost = (call: Call, now: Instant): boolean =>
  call.unknown_time !== null && call.completed_time === null && !mayBeOnThePhone(call, now)
