import { type Cadence, DEFAULT_CADENCE, type LeadType, LONGEST_DELAY } from '../../../accounts/configuration.ts'
import type { Lead } from '../../../leads/lead.ts'
import { SECOND } from '../../../platform/values/durations.ts'
import type { Instant, NextCallTimeReason } from '../../../platform/values/values.ts'
import type { Call, ReportedOutcome } from '../../call.ts'
import { type NextCall, NO_NEXT_CALL, nextCall } from '../next-call.ts'
import { outcomeOf } from '../outcomes.ts'
import type { CallingPolicy } from '../policy.ts'

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

/** The inputs that, with the outcome, decide what follows a call. */
export interface Aftermath {
  readonly lead: Lead
  readonly call: Call
  readonly leadType: LeadType | undefined
  readonly now: Instant
  readonly policy: CallingPolicy
  /** Attempts to the call's phone in the last 24 hours, this call included. */
  readonly attempts: readonly Instant[]
}

/** The attempts that count towards the cap. A phone that the lead got since was not called, and a refused call does not count. */
const attemptsThatCount = ({ lead, call, attempts }: Aftermath): readonly Instant[] => {
  if (lead.phone_number !== call.phone_number) return []
  return call.refused_time === null ? attempts : attempts.filter((at) => at !== call.intent_time)
}

/** The lead's next call at the wanted instant, or at the first permitted one after it. */
export const callAt = (aftermath: Aftermath, wanted: Instant, reason: NextCallTimeReason): NextCall =>
  nextCall(aftermath.lead, wanted, reason, aftermath.policy, attemptsThatCount(aftermath))

/** The call that follows an outcome, if one does. */
export const furtherCall = (aftermath: Aftermath, reported: ReportedOutcome): NextCall => {
  const { lead, call, leadType, now } = aftermath
  // A promised callback is planned even when the lead type is gone by then.
  const cadence = leadType?.cadence ?? DEFAULT_CADENCE
  const soon = now + delayOf(cadence.transfer_unavailable_delay)
  switch (outcomeOf(reported).next) {
    case 'none':
      return NO_NEXT_CALL
    case 'callback': {
      const asked = call.callback_time !== null && call.callback_time > now ? call.callback_time : soon
      return callAt(aftermath, asked, 'CALLBACK')
    }
    case 'transfer_callback':
      return callAt(aftermath, soon, 'CALLBACK')
    case 'cadence': {
      const delay = leadType && nextDelay(leadType.cadence, lead.round_attempts, reported)
      return delay === undefined ? NO_NEXT_CALL : callAt(aftermath, now + delay, 'NEXT_AVAILABLE_SLOT')
    }
  }
}
