import { NO_NEXT_CALL } from '../../calling/rules/next-call.ts'
import type { LeadStatus, Trigger } from '../../platform/values/values.ts'
import type { Lead } from '../lead.ts'
import { isCallable } from './status.ts'

/** The cadence's counters for a lead that starts a new round. */
export const NEW_ROUND = { round_attempts: 0, refusals: 0 } as const

/** The effects when a lead gets a status. */
interface StatusEffects {
  /** `kept`: the next call stays, and a lead without one is scheduled. `removed`: the lead is no longer called. */
  readonly nextCall: 'kept' | 'removed'
  /** The event that reports the status. */
  readonly event: Trigger | null
}

const called = (event: Trigger | null): StatusEffects => ({ nextCall: 'kept', event })
const over = (event: Trigger | null): StatusEffects => ({ nextCall: 'removed', event })

/** Any status may follow any other. */
export const STATUS_EFFECTS: Readonly<Record<LeadStatus, StatusEffects>> = {
  UNKNOWN: over(null),
  NEW: over(null),
  OPEN: called(null),
  CALLBACK_TO_TRANSFER: called('LEAD_CALLBACK_TO_TRANSFER'),
  CLOSED: over('LEAD_CLOSED'),
  CLOSED_INCOMPLETE: over('LEAD_CLOSED_INCOMPLETE'),
  LOST: over('LEAD_LOST'),
  SCHEDULE_COMPLETED: over('LEAD_SCHEDULE_COMPLETED'),
  OUT_OF_TERRITORY: over('LEAD_OUT_OF_TERRITORY'),
  BAD_NUMBER: over('LEAD_BAD_NUMBER'),
  CANCELLED: over('LEAD_CANCELLED'),
}

/** Who sets a status from outside: a client with an update, or a person who picks up a live call. It becomes the status's reason. */
export type UpdateCause = 'MANUAL' | 'WEBHOOK'

/**
 * Sets a status from outside. Changes nothing when the lead already has it. A status detail is cleared with its status. A call in progress
 * is detached: its outcome is recorded only on the call and does not undo the new status. A reopened lead starts its cadence again.
 */
export const withStatus = (lead: Lead, status: LeadStatus, cause: UpdateCause): Lead =>
  status === lead.status
    ? lead
    : {
        ...lead,
        status,
        status_detail: null,
        status_reason: cause,
        current_call: null,
        ...(isCallable(status) && !isCallable(lead.status) && NEW_ROUND),
        ...(STATUS_EFFECTS[status].nextCall === 'removed' && NO_NEXT_CALL),
      }
