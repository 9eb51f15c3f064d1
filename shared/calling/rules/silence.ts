import { HOUR, MINUTE, SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Call } from '../call.ts'
import { isAnswered } from './call-status.ts'
import { isUnended, ringsUntil } from './dial/cancellable.ts'

/** A call that nobody has answered counts as silent after this time without a report. */
export const AFTER_ACCEPTANCE = 10 * MINUTE
/** A call that somebody has answered counts as silent after this time without a report. */
export const AFTER_ANSWER = 2 * HOUR

/**
 * An ended conversation counts as silent after this time, if its outcome can be known without the agent: by its presumed outcome, or by
 * polling.
 */
export const AFTER_END = 30 * MINUTE

/** How long after its last sign a call counts as silent. A platform can be polled, so a call on one need not be waited for so long. */
const patienceWith = (call: Call): number => {
  if (!isAnswered(call)) return AFTER_ACCEPTANCE
  if (call.ended_time !== null && (call.on_platform || call.presumed_outcome !== null)) return AFTER_END
  return call.on_platform ? AFTER_ACCEPTANCE : AFTER_ANSWER
}

/** When the call last showed that it is alive. A call without any sign may still ring: then `not_after` counts. */
const lastSign = ({ last_heard_time, answered_time, accepted_time, heard_time, not_after }: Call): Instant => {
  const signs = [last_heard_time, answered_time, accepted_time, heard_time].filter((sign) => sign !== null)
  return signs.length > 0 ? Math.max(...signs) : not_after
}

/**
 * The instant from which a call counts as lost when nothing more is reported. Every report moves it. An unconfirmed call blocks its phone
 * for as long as an accepted one.
 */
export const silentFrom = (call: Call): Instant => lastSign(call) + patienceWith(call)

/** Interval at which a platform that cannot report is polled. The sweep looks at calls every minute. */
const ASKED_EVERY = 30 * SECOND

/** Whether a call on a platform should be answered or over by now, and neither is reported. Then the platform is polled. */
export const isOverdue = (call: Call, now: Instant): boolean =>
  call.on_platform === true && !isAnswered(call) && call.ended_time === null && now >= ringsUntil(call)

/** When to look at a call that may wait at its platform; undefined when the platform has shown since that the call goes on. */
const lookForWaiting = (call: Call, now: Instant): Instant | undefined => {
  const due = ringsUntil(call)
  return isOverdue(call, due) && (call.last_heard_time ?? 0) < due ? Math.max(due, now + ASKED_EVERY) : undefined
}

/**
 * When an unfinished call is looked at next: when it counts as silent. A polled or waiting call is looked at earlier.
 */
export const nextLook = (call: Call, now: Instant): Instant =>
  Math.min(silentFrom(call), call.only_polled ? now + ASKED_EVERY : (lookForWaiting(call, now) ?? silentFrom(call)))

/** Every report proves that the call is alive. */
export const heardAt = (now: Instant) => ({ heard_time: now, last_heard_time: now })

/** Whether a phone may be ringing or in conversation for this call at an instant, as far as anybody knows. */
export const mayBeOnThePhone = (call: Call, now: Instant): boolean => isUnended(call) && now < silentFrom(call)

/**
 * Whether a call was reported after we had given it up, and has no outcome yet. Once it is silent, it gets one: by a poll of its platform,
 * or by its presumed outcome.
 */
export const isReportedLate = ({ unknown_time, completed_time, on_platform, provider_call_id, presumed_outcome }: Call): boolean =>
  unknown_time !== null && completed_time === null && ((on_platform === true && provider_call_id !== null) || presumed_outcome !== null)

/** Whether a call's fate is unknown and its phone is free. Nothing needs to wait for its outcome any more. */
export const isLost = (call: Call, now: Instant): boolean =>
  call.unknown_time !== null && call.completed_time === null && !mayBeOnThePhone(call, now)
