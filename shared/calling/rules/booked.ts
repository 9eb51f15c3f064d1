import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import type { Lead } from '../../leads/lead.ts'
import { type Instant, JsonObject } from '../../platform/values/values.ts'
import type { Call, ReportedOutcome } from '../call.ts'
import { outcomeOf } from './finish/outcomes.ts'
import { NO_NEXT_CALL } from './next-call.ts'

/** What tells an appointment that was booked through the calendar from one that an agent has made elsewhere and reports. */
const Booked = v.pipe(JsonObject, v.looseObject({ start_time: dateTimeField(), booking: v.nullable(JsonObject) }))

/** When the appointment is that was booked in a call; undefined when none was. */
export const bookedStart = ({ appointment }: Pick<Call, 'appointment'>): Instant | undefined => {
  const booked = v.safeParse(Booked, appointment)
  return booked.success ? booked.output.start_time : undefined
}

/** Whether the calendar was asked for an appointment in a call, and has confirmed it. */
export const isBooked = (call: Pick<Call, 'appointment' | 'wanted_start'>): boolean =>
  call.wanted_start !== null && bookedStart(call) !== undefined

/**
 * What a reported outcome counts as: a lead that has an appointment is not called again by the cadence, nor to be handed over. What stops
 * the calls, has handed the person over or promises a call of the person's own wish stands.
 */
export const countedOutcome = (call: Pick<Call, 'appointment' | 'wanted_start'>, reported: ReportedOutcome): ReportedOutcome => {
  const { next } = outcomeOf(reported)
  return (next === 'cadence' || next === 'transfer_callback') && isBooked(call) ? 'appointment_booked' : reported
}

/**
 * The lead after an appointment that the calendar has confirmed when the outcome of its call was told already: as if it had come
 * before. Undefined when that changes nothing, or anything else has changed the lead since.
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
