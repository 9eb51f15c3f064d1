import { LATEST } from '../../schema/fields/date-time.ts'
import type { Lead } from '../../schema/lead.ts'
import type { Instant, NextCallTimeReason } from '../../schema/values.ts'
import { isCallable } from '../leads/status.ts'
import { callingHours } from './calling-hours.ts'
import { nextStart } from './hours.ts'
import type { CallingPolicy } from './policy.ts'

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

/**
 * The next call of a lead that is wanted at `wanted`: then, or at the first lawful instant after it. None when the lead
 * is not callable, must not be called, or no instant is lawful.
 */
export const nextCall = (lead: Lead, wanted: Instant, reason: NextCallTimeReason, policy: CallingPolicy): NextCall => {
  if (!isCallable(lead.status) || lead.call_dnc || lead.lead_type === null) return NO_NEXT_CALL
  const from = Math.max(wanted, lead.call_schedule_start_time ?? 0)
  const next_call_time = nextStart(callingHours(lead, withoutEmergencies(policy)).hours, from)
  if (next_call_time === null || next_call_time > LATEST) return NO_NEXT_CALL
  const promised_time = reason === 'CALLBACK' ? next_call_time : null
  return { next_call_time, next_call_time_reason: reason, due_list: 'CALL', held_by: null, promised_time }
}
