import * as v from 'valibot'
import { getLeadType } from '../accounts/lead-type-store.ts'
import type { Call, CallStatus } from '../calling/call.ts'
import { callFromItem, getCall, recordMilestones } from '../calling/call-store.ts'
import { afterLateBooking, bookedStart } from '../calling/rules/booked.ts'
import { callStatus, mayBeTalking } from '../calling/rules/call-status.ts'
import { heardAt } from '../calling/rules/silence.ts'
import { dateTimeField, inThePast } from '../http/fields/date-time.ts'
import { representLead } from '../leads/api/lead-response.ts'
import type { Lead } from '../leads/lead.ts'
import { changeLead, getLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { callKey } from '../platform/keys.ts'
import { logger } from '../platform/logger.ts'
import { onCondition, updateItem } from '../platform/table/table.ts'
import { SECOND } from '../platform/values/durations.ts'
import { invalid, notFound, ServiceError } from '../platform/values/errors.ts'
import { formatInstant, formatOptional } from '../platform/values/time.ts'
import type { Instant } from '../platform/values/values.ts'
import type { BookSlot, FindSlots } from './api/calendar.ts'
import { bookSlot, findSlots, type Slot } from './calendar.ts'

/** Milestones after which a call books nothing more. */
const ENDS_ASKING = ['ended_time', 'completed_time', 'refused_time', 'unknown_time', 'appointment']

const noneExists = (names: readonly string[]): string => names.map((name) => `attribute_not_exists(${name})`).join(' AND ')

/**
 * Records the start before the calendar is asked for it. No other request may ask until `until`.
 * @returns the call before this write; undefined when another start is recorded, another request is asking, the call has an appointment, or
 * it is over
 */
export const noteWanted = async ({ lead, attempt }: Call, start: Instant, { now, until }: { now: Instant; until: Instant }) => {
  const written = await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: 'SET wanted_start = :start, wanted_until = :until',
      ConditionExpression: [
        'attribute_exists(pk)',
        noneExists(ENDS_ASKING),
        '(attribute_not_exists(wanted_start) OR wanted_start = :start)',
        '(attribute_not_exists(wanted_until) OR wanted_until <= :now)',
      ].join(' AND '),
      ExpressionAttributeValues: { ':start': start, ':until': until, ':now': now },
      ReturnValues: 'ALL_OLD',
    }),
  )
  return written.isMet ? callFromItem(written.result) : undefined
}

/**
 * Lets other requests ask the calendar: for any start if it refused this one, otherwise only for this start. Does nothing when another
 * request is asking the calendar by now.
 */
const endAsking = async ({ lead, attempt }: Call, until: Instant, { refused }: { readonly refused: boolean }): Promise<void> => {
  await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: refused ? 'REMOVE wanted_until, wanted_start' : 'REMOVE wanted_until',
      ConditionExpression: 'wanted_until = :until',
      ExpressionAttributeValues: { ':until': until },
    }),
  )
}

/** The name of a lead's representative, from a lead field or else a metadata key. Null when neither has a value. */
const representativeOf = (lead: Lead, field: string): unknown => {
  const fields = new Map<string, unknown>(Object.entries(representLead(lead)))
  return fields.get(field) ?? new Map(Object.entries(lead.metadata)).get(field) ?? null
}

/** The lead type's calendar, and the call data that is sent to it. @throws ServiceError `not_found` without a calendar or a lead */
const calendarOf = async (call: Call) => {
  // An agent that looks for an appointment is talking to the person.
  await recordMilestones(call, { ...heardAt(now()), ...(mayBeTalking(call) && { talked_time: now() }) })
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
  return new ServiceError('failed_dependency', reason)
}

/**
 * Free slots of the lead's representative. The search starts now by default. Slots outside the requested time are dropped.
 * @throws ServiceError `not_found`, `failed_dependency`
 */
export const findAppointments = async (call: Call, { from, to, duration_minutes }: FindSlots): Promise<Slot[]> => {
  const { calendar, about } = await calendarOf(call)
  const found = await findSlots(calendar, { ...about, from: formatInstant(from ?? now()), to: formatOptional(to), duration_minutes })
  if (found.kind !== 'found') throw failed(call, found.reason)
  const earliest = Math.max(from ?? 0, now())
  return found.slots.filter(({ start_time }) => {
    const start = v.parse(dateTimeField(), start_time)
    return !(start < earliest) && !(to && start >= to)
  })
}

const conflict = (detail: string): ServiceError => new ServiceError('conflict', detail)

const otherBooked = (start: Instant): ServiceError => conflict(`This call already has an appointment at ${formatInstant(start)}.`)

/** The appointment that is stored with the call. @throws ServiceError `conflict` when it is at another time than `wanted` */
const bookedBefore = (call: Call, wanted: Instant): Record<string, unknown> | undefined => {
  const booked = bookedStart(call)
  if (booked === undefined || call.appointment === null) return undefined
  if (booked !== wanted) throw otherBooked(booked)
  return call.appointment
}

const OVER: readonly CallStatus[] = ['COMPLETED', 'FAILED', 'UNKNOWN']

/** The error for a start that the calendar must not be asked for. */
const whyNot = (call: Call, wanted: Instant): ServiceError => {
  if (OVER.includes(callStatus(call))) return conflict('The call is over.')
  const { wanted_start: other } = call
  if (other === null || other === wanted) return conflict('This appointment is being booked right now. Ask again in a few seconds.')
  const at = formatInstant(other)
  return conflict(`This call requested an appointment at ${at}, which may be booked. Only that one can be requested again.`)
}

/** Applies a booking that was confirmed after the call ended: the lead is not called again. Safe to repeat. */
const applyLateBooking = async (call: Call): Promise<void> => {
  if (call.reported_outcome !== null) await changeLead(call.lead, (lead) => afterLateBooking(lead, call, now()))
}

interface Appointment {
  readonly appointment: Record<string, unknown>
  readonly isNew: boolean
}

/** Milliseconds. Longer than the timeout of a calendar request. */
const LONGEST_ASKING = 10 * SECOND

/**
 * Books at most one appointment per call. The appointment is stored with the call, and a repeated request gets the stored one. After an
 * unclear answer, the calendar may have booked the start. Until the calendar refuses that start, no other start is requested under the
 * call's idempotency key.
 * @throws ServiceError `not_found` without a calendar; `conflict` when the slot is taken, the call is over, or another appointment is or
 * may be booked; `failed_dependency` when the calendar fails; `validation` for a time in the past
 */
export const bookAppointment = async (call: Call, { call_id: _, start_time: start, ...wanted }: BookSlot): Promise<Appointment> => {
  const { calendar, about } = await calendarOf(call)
  const before = bookedBefore(call, start)
  if (before) {
    await applyLateBooking(call)
    return { appointment: before, isNew: false }
  }
  const at = now()
  if (start < at) throw invalid({ start_time: [inThePast(start, at)] })
  const until = at + LONGEST_ASKING
  const claim = await noteWanted(call, start, { now: at, until })
  if (!claim) {
    const current = (await getCall(call.call_id)) ?? call
    const meanwhile = bookedBefore(current, start)
    if (meanwhile) return { appointment: meanwhile, isNew: false }
    throw whyNot(current, start)
  }
  const answer = await bookSlot(calendar, call.call_id, { ...about, start_time: formatInstant(start), ...wanted })
  if (answer.kind !== 'booked') {
    // A refusal of this request does not undo what an earlier request may have booked.
    await endAsking(call, until, { refused: answer.kind === 'taken' || (answer.kind === 'refused' && claim.wanted_start === null) })
    throw answer.kind === 'taken' ? conflict('The slot is taken.') : failed(call, answer.reason)
  }
  const booked = answer.startTime ?? start
  const appointment = { start_time: formatInstant(booked), ...wanted, booking: answer.booking }
  const updated = await recordMilestones(call, { appointment })
  if (updated) await applyLateBooking(updated)
  if (booked !== start) throw otherBooked(booked)
  return { appointment: (updated && bookedBefore(updated, start)) ?? appointment, isNew: true }
}
