import { pauseHolder } from '../../../backlog/rules/holders.ts'
import type { Lead } from '../../../leads/lead.ts'
import { formerPlace } from '../../../location/rules/former-place.ts'
import { MINUTE } from '../../../platform/values/durations.ts'
import type { GateName, Instant, NextCallTimeReason } from '../../../platform/values/values.ts'
import { callingHours } from '../calling-hours.ts'
import { holderOf } from '../hold.ts'
import { nextStart } from '../hours/hours.ts'
import { type NextCall, NO_NEXT_CALL, nextCall, withoutWaiting } from '../next-call.ts'
import type { GateInputs, Verdict } from '../verdict.ts'

/** A phone in conversation is tried again after this long. */
const BUSY_PHONE_DELAY = 2 * MINUTE

/**
 * Gates that may refuse only because of the former place. It counts while the plan stays, so a held lead would stay held for ever. Its call
 * is planned again, at a time that the hours of both places permit. After that, only the present place counts.
 */
const BY_PLACE: ReadonlySet<GateName> = new Set(['registry', 'consent', 'reassigned'])

/** The changes to a lead after a refusal: its next call, and its status when its cadence has ended. */
type AfterRefusal = NextCall & Partial<Pick<Lead, 'former_place' | 'status' | 'status_detail' | 'status_reason' | 'modified_time'>>

/** The cadence ended before this call, and not after the last one: it became shorter meanwhile. */
const ENDED = { ...NO_NEXT_CALL, status: 'CLOSED_INCOMPLETE', status_detail: null, status_reason: 'UNKNOWN' } as const

/**
 * The next call of a lead after a gate refused it. It moves to the next instant at which it could pass, or waits: for a line, its agent, a
 * setting or the end of a pause. Or it is removed. The lead's status changes with it when the cadence has ended. A promised callback stays
 * promised. Undefined when the call stays as it is.
 */
export const afterRefusal = (
  inputs: Pick<GateInputs, 'lead' | 'now' | 'policy' | 'phoneHash'>,
  refusal: Verdict,
): AfterRefusal | undefined => {
  const { lead, now, policy } = inputs
  const { next_call_time, next_call_time_reason, promised_time } = lead
  const stay: NextCall = {
    next_call_time,
    next_call_time_reason: withoutWaiting(next_call_time_reason),
    due_list: lead.due_list,
    held_by: null,
    promised_time,
  }
  const move = (to: Instant | null, reason: NextCallTimeReason): NextCall => {
    const moved = to === null ? NO_NEXT_CALL : nextCall(lead, to, reason, policy)
    return moved.next_call_time === null ? moved : { ...moved, promised_time }
  }
  const holder = holderOf(inputs, refusal)
  if (holder !== null) {
    const at = BY_PLACE.has(refusal.gate) && formerPlace(lead) ? nextStart(callingHours(lead, policy).hours, now) : null
    if (at === null) return { ...stay, due_list: 'HELD', held_by: holder }
    return { ...move(at, stay.next_call_time_reason ?? 'NEXT_AVAILABLE_SLOT'), former_place: null }
  }
  switch (refusal.gate) {
    case 'due':
      return undefined
    case 'paused':
      return { ...stay, due_list: 'HELD', held_by: pauseHolder(lead.owner) }
    case 'capacity':
      return refusal.inputs['agent'] === undefined
        ? { ...stay, next_call_time_reason: 'CAPACITY', due_list: 'CALL' }
        : { ...stay, next_call_time_reason: 'CAPACITY', due_list: 'HELD', held_by: `${refusal.inputs['agent']}` }
    case 'window':
      return move(refusal.next_time ?? now, 'OUTSIDE_WINDOW')
    case 'start_time':
      return move(refusal.next_time, 'OUTSIDE_WINDOW')
    case 'attempt_cap':
      return refusal.code === 'LEAD_CAP' ? { ...ENDED, modified_time: now } : move(refusal.next_time, 'ATTEMPT_CAP')
    case 'call_in_progress':
      return move(now + BUSY_PHONE_DELAY, 'NEXT_AVAILABLE_SLOT')
    case 'status':
    case 'dnc':
    case 'litigator':
    case 'lead_type':
    case 'consent':
      return NO_NEXT_CALL
    case 'registry':
    case 'reassigned':
      return move(refusal.next_time, 'NEXT_AVAILABLE_SLOT')
  }
}
