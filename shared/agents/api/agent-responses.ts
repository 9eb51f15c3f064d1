import * as v from 'valibot'
import { DisclosureResponse } from '../../calling/api/disclosure.ts'
import { Count, DateTime } from '../../http/responses/values.ts'
import { LeadResponse } from '../../leads/api/lead-response.ts'

const HandOver = v.strictObject({
  mode: v.picklist(['warm', 'blind']),
  destinations: v.pipe(v.array(v.string()), v.minLength(1)),
  hold_limit_seconds: v.pipe(Count, v.description('Maximum number of seconds that the person may wait for somebody to take over.')),
})

const briefing = {
  call_id: v.string(),
  lead: LeadResponse,
  script: v.pipe(v.string(), v.description('What to say or ask. It may be empty.')),
  disclosures: v.pipe(
    v.array(DisclosureResponse),
    v.description('What the law demands that you say, by jurisdiction. Say all of it, in the shortest time that one of them names.'),
  ),
  transfer: v.pipe(v.nullable(HandOver), v.description('Who may take over the call. Null: nobody.')),
  escalation: v.pipe(v.nullable(HandOver), v.description('Who takes over a call that the agent cannot handle. Null: nobody.')),
  calendar: v.pipe(v.boolean(), v.description('Whether the lead type has a calendar. If so, you can request free slots.')),
  callback_url: v.pipe(v.string(), v.url(), v.description('Where to send the reports of this call.')),
}

/** The briefing that an agent gets about an inbound caller. */
export const InboundBriefingResponse = v.strictObject(briefing)

/** The request that asks an agent to place a call. */
export const PlaceCallRequest = v.strictObject({
  ...briefing,
  requested_time: v.pipe(DateTime, v.description('When the service decided to call. It is the same in a repeat.')),
  not_after: v.pipe(
    DateTime,
    v.description('Do not dial later than this: the calling hours may be over, or the service may have given up.'),
  ),
})

/** The answer of an agent that places the call. Further fields are ignored. */
export const PlaceCallAnswer = v.object({
  provider_call_id: v.pipe(
    v.string(),
    v.minLength(1),
    v.description('Your id of the call. Answer a repeated request with the same id. Only the first 255 characters are kept.'),
  ),
})

/** The request that asks an agent to end a call that rings. */
export const CancelCallRequest = v.strictObject({
  call_id: v.string(),
  reason: v.pipe(v.string(), v.description('Why, in a sentence for people.')),
})

/**
 * The answer to an event of a voice platform. `ignored`: it concerns no call of the agent. An event that calls tools gets their answers
 * instead, in the platform's own form.
 */
export const PlatformEventResponse = v.looseObject({ status: v.optional(v.picklist(['accepted', 'ignored'])) })

const CalendarTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }), v.description('In the format of the calendar.'))

const FreeSlot = v.strictObject({
  start_time: CalendarTime,
  end_time: v.nullable(CalendarTime),
  duration_minutes: v.nullable(v.number()),
})

/** Free slots of a calendar. */
export const SlotsResponse = v.strictObject({ slots: v.array(FreeSlot) })

const Appointment = v.strictObject({
  start_time: DateTime,
  duration_minutes: v.nullable(Count),
  title: v.nullable(v.string()),
  notes: v.nullable(v.string()),
  booking: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('Data about the booking, from the calendar.')),
})

/** The booked appointment. */
export const AppointmentResponse = v.strictObject({ appointment: Appointment })

/** The answer to a tool, for a language model to read. */
export const ToolResponse = v.strictObject({
  ok: v.pipe(v.boolean(), v.description('Whether the tool did what it was called for.')),
  message: v.pipe(v.string(), v.description('What happened and what to do next.')),
  slots: v.optional(v.pipe(v.array(FreeSlot), v.description('Of `find_slots`. At most 20.'))),
  appointment: v.optional(v.pipe(Appointment, v.description('Of `book_slot`.'))),
})
