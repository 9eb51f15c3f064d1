import { NO_NEXT_CALL } from '../../calling/rules/next-call.ts'
import type { LeadStatus, Trigger } from '../../platform/values/values.ts'
import type { Lead } from '../lead.ts'
import { NEW_ROUND } from './round.ts'
import { isCallable } from './status.ts'

/** What a status brings about when a lead comes to it. */
export interface StatusEffects {
  /** `kept`: the next call stays, and a lead that has none is scheduled. `removed`: it is called no more. */
  readonly nextCall: 'kept' | 'removed'
  /** The event that tells of it. */
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

/** Who sets a status from outside: a client by an update, or whoever picks up a live call. It becomes the status's reason. */
export type UpdateCause = 'MANUAL' | 'WEBHOOK'

/**
 * The lead in a status that was set from outside, unchanged when it has that already. A detail belongs to its status and goes
 * with it. A call in progress is given up: its outcome is recorded on the call alone, so that it does not undo what was set. A lead
 * that is reopened has its cadence before it again.
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
