import type { Call } from '../../schema/call.ts'
import type { Lead } from '../../schema/lead.ts'
import type { LeadStatus, Trigger } from '../../schema/values.ts'

/** An item before and after one write; `before` is undefined when the write made it. */
export interface Change<T> {
  readonly before: T | undefined
  readonly after: T
}

/** What happened, and the lead and call to tell it with, where the change itself shows them. */
export interface Happening {
  readonly trigger: Trigger
  readonly lead: Lead | null
  readonly call: Call | null
  readonly call_id: string | null
}

const BY_STATUS: Partial<Record<LeadStatus, Trigger>> = {
  CLOSED: 'LEAD_CLOSED',
  CLOSED_INCOMPLETE: 'LEAD_CLOSED_INCOMPLETE',
  LOST: 'LEAD_LOST',
  SCHEDULE_COMPLETED: 'LEAD_SCHEDULE_COMPLETED',
  OUT_OF_TERRITORY: 'LEAD_OUT_OF_TERRITORY',
  BAD_NUMBER: 'LEAD_BAD_NUMBER',
  CANCELLED: 'LEAD_CANCELLED',
  CALLBACK_TO_TRANSFER: 'LEAD_CALLBACK_TO_TRANSFER',
}

const ofLead = (trigger: Trigger | undefined, lead: Lead, call_id: string | null = null): Happening[] =>
  trigger ? [{ trigger, lead, call: null, call_id }] : []

/** What a write of a lead tells. Events named BEFORE carry the lead as it was. */
export const leadHappenings = ({ before, after }: Change<Lead>): Happening[] => {
  if (!before) return ofLead('LEAD_CREATED', after)
  const reengaged = after.reengagements_count > before.reengagements_count
  const isDialled = after.cause === 'dial' && after.current_call !== before.current_call
  return [
    ...(reengaged ? [...ofLead('LEAD_BEFORE_REENGAGEMENT', before), ...ofLead('LEAD_REENGAGEMENT', after)] : []),
    ...(isDialled ? ofLead('BEFORE_CALLING', before, after.current_call) : []),
    ...(after.cause === 'collect' ? ofLead('LEAD_UPDATED', after, after.current_call) : []),
    ...(after.status !== before.status ? ofLead(BY_STATUS[after.status], after) : []),
    ...(after.call_dnc && !before.call_dnc ? ofLead('CALL_DNC', after) : []),
    ...(after.sms_dnc && !before.sms_dnc ? ofLead('SMS_DNC', after) : []),
  ]
}

const isOver = (call: Call): boolean => call.ended_time !== null || call.completed_time !== null
const hasFailed = (call: Call): boolean => call.refused_time !== null || call.unknown_time !== null
/** Told once everything that follows from the outcome is done, so that the lead is already as the call left it. */
const isComplete = (call: Call): boolean => call.completed_time !== null && call.settled_time !== null
const isTransferring = (call: Call): boolean => call.transfer_initiated_time !== null

const MILESTONES: readonly (readonly [Trigger, (call: Call) => boolean])[] = [
  ['CALL_FAILED', hasFailed],
  ['CALL_TRANSFER_INITIATED', isTransferring],
  ['CALL_ENDED', isOver],
  ['CALL_COMPLETE', isComplete],
]

/** What a write of a call tells: each milestone when it is reached. */
export const callHappenings = ({ before, after }: Change<Call>): Happening[] =>
  MILESTONES.filter(([, reached]) => reached(after) && !(before && reached(before))).map(([trigger]) => ({
    trigger,
    lead: null,
    call: after,
    call_id: after.call_id,
  }))
