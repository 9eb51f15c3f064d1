import type { Call } from '#shared/calling/call.ts'
import { buildPayload } from '#shared/events/api/payload.ts'
import { callHappenings, leadHappenings, smsHappenings, timerHappenings } from '#shared/events/rules/derive.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { Trigger } from '#shared/platform/values/values.ts'
import {
  accepted,
  after,
  afterOutcome,
  asCreated,
  change,
  collected,
  completed,
  dialledLead,
  ended,
  inbound,
  intended,
  LEAD,
  message,
  NO_CALL,
  OWNER,
  promised,
  rang,
  refused,
  reopened,
  silenced,
  stopped,
  transferred,
  transferring,
} from './sample-lead.ts'

/** A write of a lead, call, message or timer, with the data for its webhook and the call before it. */
interface Story {
  readonly happenings: ReturnType<typeof leadHappenings>
  readonly lead: Lead
  readonly call?: Call
  readonly lastChat?: Call
}

const ofLead = (before: Lead | undefined, lead: Lead, calls: Pick<Story, 'call' | 'lastChat'> = {}): Story => ({
  happenings: leadHappenings({ before, after: lead }),
  lead,
  ...calls,
})
const ofCall = (before: Call, call: Call, lead: Lead): Story => ({ happenings: callHappenings({ before, after: call }), lead, call })
const outcome = (fields: Partial<Lead>, call: Partial<Call>): Story =>
  ofLead(collected, afterOutcome(fields), { lastChat: { ...completed, transfers_told: null, ...call } })

const busy = {
  reported_outcome: 'busy',
  outcome: 'DIAL_BUSY',
  answered_time: null,
  is_contact: false,
  summary: null,
  duration_seconds: 0,
} as const

const STORIES: Readonly<Record<Trigger, Story>> = {
  LEAD_CREATED: ofLead(undefined, asCreated),
  LEAD_UPDATED: ofLead(dialledLead, collected, { call: accepted }),
  LEAD_CLOSED: ofLead(collected, transferred, { lastChat: completed }),
  LEAD_CLOSED_INCOMPLETE: outcome({ status: 'CLOSED_INCOMPLETE', attempts: 8 }, { attempt: 8, call_id: `${LEAD}-8`, ...busy }),
  LEAD_LOST: outcome({ status: 'LOST' }, { outcome: 'COMPLETED_STOP_CALLING', summary: 'Is not interested.' }),
  LEAD_SCHEDULE_COMPLETED: outcome(
    { status: 'SCHEDULE_COMPLETED', status_detail: 'appointment_booked' },
    { outcome: 'COMPLETED_CLOSED_OTHER', summary: 'Booked a visit on Monday at 10.' },
  ),
  LEAD_LATE_CALLBACK: {
    happenings: timerHappenings({
      before: { lead: LEAD, owner: OWNER, promised_time: after(7_200), fired_time: null, expires_at: null },
      after: { lead: LEAD, owner: OWNER, promised_time: after(7_200), fired_time: after(7_200) + 15 * MINUTE, expires_at: null },
    }),
    lead: promised,
    lastChat: { ...completed, transfers_told: null, outcome: 'COMPLETED', summary: 'Asks to be called back at 13:00.' },
  },
  LEAD_OUT_OF_TERRITORY: outcome({ status: 'OUT_OF_TERRITORY' }, { outcome: 'COMPLETED', summary: 'Has moved to Canada.' }),
  LEAD_BAD_NUMBER: outcome({ status: 'BAD_NUMBER' }, { outcome: 'COMPLETED_STOP_CALLING', summary: 'The number is not hers.' }),
  LEAD_CANCELLED: ofLead(asCreated, change(asCreated, 3, { cause: 'update', status: 'CANCELLED', status_reason: 'MANUAL', ...NO_CALL })),
  LEAD_CALLBACK_TO_TRANSFER: {
    ...ofLead(collected, promised),
    lastChat: { ...completed, transfers_told: null, outcome: 'COMPLETED', summary: 'Asks to be called back at 13:00.' },
  },
  LEAD_BEFORE_REENGAGEMENT: ofLead(transferred, reopened, { lastChat: completed }),
  LEAD_REENGAGEMENT: ofLead(transferred, reopened, { lastChat: completed }),
  LEAD_FIRST_INBOUND: ofLead(asCreated, rang, { call: inbound }),
  CALL_COMPLETE: ofCall(ended, completed, transferred),
  BEFORE_CALLING: ofLead(asCreated, dialledLead, { call: intended }),
  CALL_FAILED: ofCall(intended, refused, dialledLead),
  CALL_ENDED: ofCall(transferring, ended, collected),
  CALL_TRANSFER_INITIATED: ofCall(accepted, transferring, collected),
  SMS_COMPLETE: { happenings: smsHappenings({ before: undefined, after: message }), lead: transferred, call: completed },
  SMS_DNC: ofLead(asCreated, silenced),
  CALL_DNC: ofLead(asCreated, stopped),
}

/** Id of a record in a stream. Each story is one record. */
const RECORD = '8d0c1f2a6b9e4c57a1d3e5f708192a3b'

/**
 * The payload of an event, made by the service's own code from a sample change.
 * @throws Error when the write does not cause the event
 */
export const samplePayload = (trigger: Trigger): Readonly<Record<string, unknown>> => {
  const { happenings, lead, call, lastChat } = STORIES[trigger]
  const happening = happenings.find((one) => one.trigger === trigger)
  if (!happening) throw new Error(`The sample change for the event ${trigger} does not cause that event.`)
  const { time, ...event } = happening
  const data = { lead: event.lead ?? lead, call: call ?? null, lastChat: lastChat ?? null }
  const record = { event_id: `${RECORD}-${trigger}`, event_time: time, sequence: '4421584500000000017450439091'.padStart(40, '0') }
  return buildPayload({ ...event, ...record, owner: OWNER, lead_id: lead.id }, data)
}
