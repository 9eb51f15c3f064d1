import { accountHolder, leadHolder } from '../../backlog/rules/holders.ts'
import { LATEST } from '../../http/fields/date-time.ts'
import type { Lead } from '../../leads/lead.ts'
import { isCallable } from '../../leads/rules/status.ts'
import type { Instant, NextCallTimeReason } from '../../platform/values/values.ts'
import { attemptCapAt, callingHours } from './calling-hours.ts'
import { whenBelow } from './dial/recent-attempts.ts'
import { type Hours, nextStart } from './hours/hours.ts'
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

/** The reason of a call that no longer waits for a line or an agent. */
export const withoutWaiting = (reason: Lead['next_call_time_reason']): Lead['next_call_time_reason'] =>
  reason === 'CAPACITY' ? 'NEXT_AVAILABLE_SLOT' : reason

/** Nobody knows when an emergency ends. Calls are planned as if there were none, and refused while it lasts. */
const withoutEmergencies = (policy: CallingPolicy): CallingPolicy => ({ ...policy, emergencies: new Set() })

interface Permitted {
  readonly at: Instant
  /** Whether `at` would be earlier without the cap on attempts. */
  readonly isCapped: boolean
}

/** The first instant at or after `from` that hours and cap permit; undefined when there is none. */
const firstPermitted = (hours: readonly Hours[], from: Instant, attempts: readonly Instant[], isCapped = false): Permitted | undefined => {
  const at = nextStart(hours, from)
  if (at === null) return undefined
  const cap = attemptCapAt(hours, at)
  const below = cap ? whenBelow(attempts, cap.max, at) : at
  if (below === null) return undefined
  return below === at ? { at, isCapped } : firstPermitted(hours, below, attempts, true)
}

/**
 * The next call of a lead: at `wanted`, or at the first lawful instant after it. A lead whose hours leave no such instant is held until
 * they change. There is no next call for a lead that is not callable, must not be called, or has no lead type. There is none after
 * `LATEST`.
 * @param attempts to its phone in the last 24 hours, as far as known; the dial counts them again
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
  // A new plan ignores the former place. From now on only the present place counts, even if an agent collected it.
  const calling = callingHours({ ...lead, former_place: null }, withoutEmergencies(policy))
  const permitted = firstPermitted(calling.hours, from, attempts)
  const at = permitted?.at ?? from
  if (at > LATEST) return NO_NEXT_CALL
  const planned = {
    next_call_time: at,
    next_call_time_reason: permitted?.isCapped ? 'ATTEMPT_CAP' : reason,
    promised_time: reason === 'CALLBACK' ? at : null,
  } as const
  if (permitted) return { ...planned, due_list: 'CALL', held_by: null }
  const holder = calling.location.timezones.length === 0 ? leadHolder(lead.id) : accountHolder(lead.owner)
  return { ...planned, due_list: 'HELD', held_by: holder }
}

/** Reasons of a call that is wanted as soon as it is lawful. Calls with another reason keep their time. */
const AS_SOON_AS_POSSIBLE: ReadonlySet<NextCallTimeReason | null> = new Set([
  'FIRST_CALL',
  'OUTSIDE_WINDOW',
  'REENGAGEMENT',
  'RESUMED',
] as const)

/** When a planned call should start. If its reason means "as soon as lawful", that is now, but not before a promised callback. */
export const wantedTime = ({ next_call_time, next_call_time_reason, promised_time }: NextCall, now: Instant): Instant =>
  Math.max(now, (AS_SOON_AS_POSSIBLE.has(next_call_time_reason) ? promised_time : next_call_time) ?? now)

/** An earlier time for a call, if its calling hours have changed and permit one. Undefined: the call keeps its time. */
export const soonerCall = (lead: Lead, now: Instant, policy: CallingPolicy): NextCall | undefined => {
  const { due_list, next_call_time, next_call_time_reason: reason, promised_time } = lead
  if (due_list !== 'CALL' || next_call_time === null || reason === null) return undefined
  const next = nextCall(lead, wantedTime(lead, now), reason, policy)
  const isSooner = next.due_list === 'CALL' && next.next_call_time !== null && next.next_call_time < next_call_time
  return isSooner ? { ...next, due_list, promised_time } : undefined
}

/**
 * The next call of a lead that is no longer held: at its time, or else as soon as allowed. A promised callback stays promised.
 * `reason`: the one it had, by default.
 */
export const releasedCall = (
  lead: Lead,
  now: Instant,
  policy: CallingPolicy,
  reason: NextCallTimeReason = withoutWaiting(lead.next_call_time_reason) ?? 'NEXT_AVAILABLE_SLOT',
): NextCall => {
  const next = nextCall(lead, Math.max(now, lead.next_call_time ?? now), reason, policy)
  return next.due_list === null ? next : { ...next, promised_time: lead.promised_time }
}
