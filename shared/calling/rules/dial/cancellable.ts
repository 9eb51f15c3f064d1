import { MINUTE } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Call } from '../../call.ts'
import { isAnswered } from '../call-status.ts'

/** No phone rings for longer after the agent was asked. */
const RINGS_FOR = MINUTE

/** Whether a phone may still be ringing for a call that nobody has answered, and the agent has not yet been asked to cancel. */
export const mayBeCancelled = (call: Call, now: Instant): boolean =>
  !isAnswered(call) &&
  call.ended_time === null &&
  call.completed_time === null &&
  call.refused_time === null &&
  call.cancel_asked_time === null &&
  now < (call.accepted_time ?? call.not_after) + RINGS_FOR

/** Whether the agent may be asked to place the call after all: then it is too early to have it cancelled. */
export const mayBeAskedYet = (call: Call, now: Instant): boolean =>
  call.accepted_time === null && call.heard_time === null && call.unknown_time === null && now < call.not_after
