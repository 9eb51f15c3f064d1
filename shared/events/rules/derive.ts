import { transferLegs } from '../../agents/rules/transfer-legs.ts'
import type { CallbackTimer } from '../../backlog/callback-timer.ts'
import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import { STATUS_EFFECTS } from '../../leads/rules/transitions.ts'
import type { Instant, Trigger } from '../../platform/values/values.ts'
import type { Sms } from '../sms.ts'

/** An item before and after one write; `before` is undefined when the write made it. */
export interface ItemWrite<T> {
  readonly before: T | undefined
  readonly after: T
}

/** One event of a change. Lead and call are set only when the changed item contains them. */
export interface Happening {
  readonly trigger: Trigger
  readonly time: Instant
  readonly lead: Lead | null
  readonly call: Call | null
  readonly call_id: string | null
  /** Only for events of a text message. */
  readonly sms?: Sms
}

interface EventContext {
  readonly lead: Lead
  readonly time: Instant
  readonly call_id?: string | null
}

const ofLead = (trigger: Trigger | null, { lead, time, call_id = null }: EventContext): Happening[] =>
  trigger ? [{ trigger, time, lead, call: null, call_id }] : []

/** The event of a lead that is created in a final status. */
const ofNewLead = (lead: Lead): Trigger | null => {
  const { nextCall, event } = STATUS_EFFECTS[lead.status]
  return nextCall === 'removed' ? event : null
}

/** Events of a write to a lead. Events named BEFORE carry the lead as it was. */
export const leadHappenings = ({ before, after }: ItemWrite<Lead>): Happening[] => {
  const time = after.modified_time
  const now = { lead: after, time }
  if (!before) return [...ofLead('LEAD_CREATED', now), ...ofLead(ofNewLead(after), now)]
  const context = { ...now, call_id: after.told_by }
  const then = { lead: before, time }
  const reengaged = after.reengagements_count > before.reengagements_count
  const isDialled = after.cause === 'dial' && after.current_call !== before.current_call
  return [
    ...(reengaged ? [...ofLead('LEAD_BEFORE_REENGAGEMENT', then), ...ofLead('LEAD_REENGAGEMENT', now)] : []),
    ...(isDialled ? ofLead('BEFORE_CALLING', { lead: before, time: after.dialled_time ?? time, call_id: after.current_call }) : []),
    ...(after.first_inbound_time !== null && before.first_inbound_time === null ? ofLead('LEAD_FIRST_INBOUND', context) : []),
    ...(after.cause === 'collect' ? ofLead('LEAD_UPDATED', context) : []),
    ...(after.status !== before.status ? ofLead(STATUS_EFFECTS[after.status].event, now) : []),
    ...(after.call_dnc && !before.call_dnc ? ofLead('CALL_DNC', now) : []),
    ...(after.sms_dnc && !before.sms_dnc ? ofLead('SMS_DNC', now) : []),
  ]
}

/** When a milestone was reached; null when it was not. */
const failed = (call: Call): Instant | null => call.refused_time ?? call.unknown_time
const over = (call: Call): Instant | null => call.ended_time ?? call.completed_time
/** Only after all consequences of the outcome are written. The lead is then already as the call left it. */
const complete = (call: Call): Instant | null => (call.settled_time === null ? null : call.completed_time)

const MILESTONES: readonly (readonly [Trigger, (call: Call) => Instant | null])[] = [
  ['CALL_FAILED', failed],
  ['CALL_ENDED', over],
  ['CALL_COMPLETE', complete],
]

const begunTransfers = (call: Call | undefined): Instant[] =>
  call ? transferLegs(call).flatMap(({ initiated_time }) => initiated_time ?? []) : []

/**
 * The start of the transfer that a write revealed; null when it revealed none.
 * It compares the number of legs, which only grows: a late report may split one leg into two.
 */
const newTransfer = ({ before, after }: ItemWrite<Call>): Instant | null => {
  if (before?.transfers_told?.length === after.transfers_told?.length) return null
  const [known, begun] = [begunTransfers(before), begunTransfers(after)]
  return begun.length > known.length ? (begun.findLast((time) => !known.includes(time)) ?? begun.at(-1) ?? null) : null
}

/** Events of a write to a call: each milestone when it is reached, and each transfer. */
export const callHappenings = (change: ItemWrite<Call>): Happening[] => {
  const { before, after } = change
  const reached = MILESTONES.map(([trigger, when]) => ({ trigger, time: before && when(before) !== null ? null : when(after) }))
  const milestones = [{ trigger: 'CALL_TRANSFER_INITIATED' as const, time: newTransfer(change) }, ...reached]
  return milestones.flatMap(({ trigger, time }) =>
    time === null ? [] : [{ trigger, time, lead: null, call: after, call_id: after.call_id }],
  )
}

/** The event of a new text message. It is written only once. */
export const smsHappenings = ({ before, after }: ItemWrite<Sms>): Happening[] =>
  before ? [] : [{ trigger: 'SMS_COMPLETE', time: after.time, lead: null, call: null, call_id: after.call_id, sms: after }]

/** The event of a callback timer that fired: the promised call is late. */
export const timerHappenings = ({ before, after }: ItemWrite<CallbackTimer>): Happening[] =>
  after.fired_time === null || (before && before.fired_time !== null)
    ? []
    : [{ trigger: 'LEAD_LATE_CALLBACK', time: after.fired_time, lead: null, call: null, call_id: null }]
