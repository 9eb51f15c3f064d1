import { MINUTE, SECOND } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Call } from '../../call.ts'
import { isAnswered } from '../call-status.ts'

/** A phone rings at most this long after the agent accepted the call; without an acceptance, after `not_after`. */
const RINGS_FOR = MINUTE

/** A platform that accepted a cancel has this long to end the call. Then the cancel is requested again. */
const CANCEL_TAKES = 15 * SECOND

export const isUnended = (call: Call): boolean => call.ended_time === null && call.completed_time === null && call.refused_time === null

const mayRing = ({ accepted_time, not_after }: Call, now: Instant): boolean => now < (accepted_time ?? not_after) + RINGS_FOR

/** Whether a phone may still be ringing for an unanswered call whose cancel the agent has not accepted yet. */
export const mayBeCancelled = (call: Call, now: Instant): boolean =>
  !isAnswered(call) && isUnended(call) && call.cancel_asked_time === null && mayRing(call, now)

/**
 * Whether a conversation may be ended by us. Only on a voice platform: an agent of our own protocol learns of a stop from the answer to its
 * reports. A person who said stop in this call is left to the assistant, which says goodbye. Some platforms report no answer. A call that
 * should have stopped ringing counts as answered.
 */
export const mayBeEnded = (call: Call, now: Instant): boolean =>
  call.on_platform === true && (isAnswered(call) || !mayRing(call, now)) && isUnended(call) && call.call_stopped === null

/** Whether the platform accepted a cancel so recently that the call may be about to end. */
export const isAboutToEnd = ({ cancel_asked_time }: Call, now: Instant): boolean =>
  cancel_asked_time !== null && now < cancel_asked_time + CANCEL_TAKES

/** Whether a request to place the call may still follow. Then it is too early to cancel the call. */
export const mayBeAskedYet = (call: Call, now: Instant): boolean =>
  call.accepted_time === null && call.heard_time === null && call.unknown_time === null && now < call.not_after

/**
 * The instant by which a call is answered or over, if its platform dialled in time. Some platforms let a call wait before they dial. A call
 * that waits longer must not ring any more: its calling hours may have ended, or its lead may be closed.
 */
export const ringsUntil = ({ accepted_time, not_after }: Call): Instant => Math.max(accepted_time ?? 0, not_after) + RINGS_FOR
