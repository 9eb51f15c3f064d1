import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import type { Lead } from '../../leads/lead.ts'
import { type Instant, JsonObject } from '../../platform/values/values.ts'
import type { Call, ReportedOutcome } from '../call.ts'
import { NO_NEXT_CALL } from './next-call.ts'
import { outcomeOf } from './outcomes.ts'

/** Fields that only an appointment booked through the calendar has. An agent may also report one that was made elsewhere. */
const Booked = v.pipe(JsonObject, v.looseObject({ start_time: dateTimeField(), booking: v.nullable(JsonObject) }))

/** Start of the appointment that was booked in a call; undefined when none was. */
export const bookedStart = ({ appointment }: Pick<Call, 'appointment'>): Instant | undefined => {
  const booked = v.safeParse(Booked, appointment)
  return booked.success ? booked.output.start_time : undefined
}

/** Whether the calendar was asked for an appointment in a call, and has confirmed it. */
export const isBooked = (call: Pick<Call, 'appointment' | 'wanted_start'>): boolean =>
  call.wanted_start !== null && bookedStart(call) !== undefined

/**
 * The outcome that counts, given the reported one. A lead with an appointment gets no further call by the cadence, and no transfer
 * callback. Other outcomes stand: stops, completed transfers, and callbacks that the person asked for.
 */
export const countedOutcome = (call: Pick<Call, 'appointment' | 'wanted_start'>, reported: ReportedOutcome): ReportedOutcome => {
  const { next } = outcomeOf(reported)
  return (next === 'cadence' || next === 'transfer_callback') && isBooked(call) ? 'appointment_booked' : reported
}

/**
 * The lead after the calendar confirmed an appointment too late, when the call's outcome was already reported. The result is as if the
 * appointment had come first. Undefined when that changes nothing, or when something else has changed the lead since.
 */
export const afterLateBooking = (lead: Lead, call: Call, now: Instant): Omit<Lead, 'version'> | undefined => {
  const reported = call.reported_outcome
  const counted = reported === null ? null : countedOutcome(call, reported)
  const isAsLeft = lead.cause === 'outcome' && lead.last_chat === call.call_id && lead.current_call === null
  if (counted === null || counted === reported || !isAsLeft) return undefined
  const { status, detail } = outcomeOf(counted)
  if (lead.status === status) return undefined
  return { ...lead, ...NO_NEXT_CALL, status, status_detail: detail, status_reason: 'CHAT', modified_time: now }
}
