import * as v from 'valibot'
import { bookSlot, findSlots, type Slot } from '../adapters/calendar.ts'
import { now } from '../adapters/clock.ts'
import { logger } from '../adapters/logger.ts'
import { notFound, ServiceError } from '../domain/errors.ts'
import { representLead } from '../domain/leads/represent.ts'
import { representativeOf } from '../domain/leads/representative-of.ts'
import { formatInstant, formatOptional } from '../domain/time.ts'
import type { Call } from '../schema/call.ts'
import { dateTimeField } from '../schema/fields/date-time.ts'
import type { BookSlot, FindSlots } from '../schema/requests/calendar.ts'
import { type Instant, JsonObject } from '../schema/values.ts'
import { tellCall } from '../storage/calls.ts'
import { getLeadType } from '../storage/lead-types.ts'
import { getLead } from '../storage/leads.ts'

/** What tells an appointment that was booked here from one that an agent has made elsewhere and reports. */
const Booked = v.pipe(JsonObject, v.looseObject({ start_time: dateTimeField(), booking: v.nullable(JsonObject) }))

/** The lead type's calendar, and what it learns of the call. @throws ServiceError `not_found` when there is none */
const calendarOf = async (call: Call) => {
  const [leadType, lead] = await Promise.all([
    call.lead_type === null ? undefined : getLeadType(call.owner, call.lead_type),
    getLead(call.lead),
  ])
  if (!leadType?.calendar || !lead) throw notFound()
  const representative = representativeOf(lead, leadType.calendar.representative_field)
  return { calendar: leadType.calendar, about: { call_id: call.call_id, lead: representLead(lead), representative } }
}

const failed = (call: Call, reason: string): ServiceError => {
  logger.warn('A calendar failed.', { call: call.call_id, lead_type: call.lead_type, reason })
  return new ServiceError('bad_gateway', reason)
}

/** Free slots of the lead's representative, from now on unless told otherwise. @throws ServiceError `not_found`, `bad_gateway` */
export const findAppointments = async (call: Call, { from, to, duration_minutes }: FindSlots): Promise<Slot[]> => {
  const { calendar, about } = await calendarOf(call)
  const found = await findSlots(calendar, { ...about, from: formatInstant(from ?? now()), to: formatOptional(to), duration_minutes })
  if (found.kind === 'failed') throw failed(call, found.reason)
  return found.slots
}

const otherBooked = (start: Instant): ServiceError =>
  new ServiceError('conflict', `An appointment at ${formatInstant(start)} is booked in this call already.`)

/** The appointment that the call has. @throws ServiceError `conflict` when it is at another time than the one wanted */
const bookedBefore = (call: Call, wanted: Instant): Record<string, unknown> | undefined => {
  const booked = v.safeParse(Booked, call.appointment)
  if (!booked.success || call.appointment === null) return undefined
  if (booked.output.start_time !== wanted) throw otherBooked(booked.output.start_time)
  return call.appointment
}

/**
 * Books an appointment: one in a call. It is kept with the call, so that a repeat is answered from there.
 * @throws ServiceError `not_found` without a calendar, `conflict` when the slot is taken, another one is booked or the call is over,
 * `bad_gateway` when the calendar fails
 */
export const bookAppointment = async (
  call: Call,
  { start_time, ...wanted }: BookSlot,
): Promise<{ readonly appointment: Record<string, unknown>; readonly isNew: boolean }> => {
  const { calendar, about } = await calendarOf(call)
  const before = bookedBefore(call, start_time)
  if (before) return { appointment: before, isNew: false }
  if (call.completed_time !== null) throw new ServiceError('conflict', 'The call is over.')
  const answer = await bookSlot(calendar, call.call_id, { ...about, start_time: formatInstant(start_time), ...wanted })
  if (answer.kind === 'failed') throw failed(call, answer.reason)
  if (answer.kind === 'taken') throw new ServiceError('conflict', 'The slot is taken.')
  const booked = answer.startTime ?? start_time
  const appointment = { start_time: formatInstant(booked), ...wanted, booking: answer.booking }
  const told = await tellCall(call.call_id, { appointment })
  if (booked !== start_time) throw otherBooked(booked)
  return { appointment: (told && bookedBefore(told, start_time)) ?? appointment, isNew: true }
}
