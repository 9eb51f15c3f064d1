import { LATEST } from '../../schema/fields/date-time.ts'
import type { Lead } from '../../schema/lead.ts'
import type { Instant, NextCallTimeReason } from '../../schema/values.ts'
import { isCallable } from '../leads/status.ts'
import { type CallingHours, callingHours } from './calling-hours.ts'
import { nextStart } from './hours.ts'
import type { CallingPolicy } from './policy.ts'
import { whenBelow } from './recent-attempts.ts'

/** Fields of a lead that say when it is called next. */
export type NextCall = Pick<Lead, 'next_call_time' | 'next_call_time_reason' | 'due_list' | 'held_by' | 'promised_time'>

export const NO_NEXT_CALL: NextCall = {
  next_call_time: null,
  next_call_time_reason: null,
  due_list: null,
  held_by: null,
  promised_time: null,
}

/** What holds the leads of a lead type that is not called, beside the agents that hold theirs. */
export const leadTypeHolder = (leadType: number): string => `lead-type ${leadType}`

/** The reason of a call that waits for no line and no agent any more. */
export const withoutWaiting = (reason: Lead['next_call_time_reason']): Lead['next_call_time_reason'] =>
  reason === 'CAPACITY' ? 'NEXT_AVAILABLE_SLOT' : reason

/** Nobody knows when an emergency ends: the call is planned as if there were none, and refused while there is one. */
const withoutEmergencies = (policy: CallingPolicy): CallingPolicy => ({ ...policy, emergencies: new Set() })

interface Permitted {
  readonly at: Instant
  /** Whether it would be earlier without the cap on attempts. */
  readonly isCapped: boolean
}

/** The first instant at or after `from` that hours and cap permit; undefined when there is none. */
const firstPermitted = (calling: CallingHours, from: Instant, attempts: readonly Instant[], isCapped = false): Permitted | undefined => {
  const at = nextStart(calling.hours, from)
  if (at === null) return undefined
  const below = calling.cap ? whenBelow(attempts, calling.cap.max, at) : at
  if (below === null) return undefined
  return below === at ? { at, isCapped } : firstPermitted(calling, below, attempts, true)
}

/**
 * The next call of a lead that is wanted at `wanted`: then, or at the first lawful instant after it. None when the lead
 * is not callable, must not be called, or no instant is lawful.
 * @param attempts to its phone in the last 24 hours, as far as they are known: the dial counts them again
 */
export const nextCall = (
  lead: Lead,
  wanted: Instant,
  reason: NextCallTimeReason,
  policy: CallingPolicy,
  attempts: readonly Instant[] = [],
): NextCall => {
  if (!isCallable(lead.status) || lead.call_dnc || lead.lead_type === null) return NO_NEXT_CALL
  const from = Math.max(wanted, lead.call_schedule_start_time ?? 0)
  const permitted = firstPermitted(callingHours(lead, withoutEmergencies(policy)), from, attempts)
  if (!permitted || permitted.at > LATEST) return NO_NEXT_CALL
  const { at: next_call_time, isCapped } = permitted
  const next_call_time_reason = isCapped ? 'ATTEMPT_CAP' : reason
  const promised_time = reason === 'CALLBACK' ? next_call_time : null
  return { next_call_time, next_call_time_reason, due_list: 'CALL', held_by: null, promised_time }
}
