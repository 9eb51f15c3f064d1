import * as v from 'valibot'
import { Count, DateTime } from '../../http/responses/values.ts'
import { LeadResponse } from '../../leads/api/lead-response.ts'

const HandOver = v.strictObject({
  mode: v.picklist(['warm', 'blind']),
  destinations: v.pipe(v.array(v.string()), v.minLength(1)),
  hold_limit_seconds: v.pipe(Count, v.description('Most seconds that the person may wait for somebody to take over.')),
})

/** The briefing that an agent gets about an inbound caller. */
export const InboundBriefingResponse = v.strictObject({
  call_id: v.string(),
  lead: LeadResponse,
  script: v.string(),
  transfer: v.nullable(HandOver),
  escalation: v.nullable(HandOver),
  calendar: v.pipe(v.boolean(), v.description('Whether the lead type has a calendar. If so, you can request free slots.')),
  callback_url: v.pipe(v.string(), v.url()),
})

const CalendarTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }), v.description('In the format of the calendar.'))

/** Free slots of a calendar. */
export const SlotsResponse = v.strictObject({
  slots: v.array(
    v.strictObject({
      start_time: CalendarTime,
      end_time: v.nullable(CalendarTime),
      duration_minutes: v.nullable(v.number()),
    }),
  ),
})

/** The booked appointment. */
export const AppointmentResponse = v.strictObject({
  appointment: v.strictObject({
    start_time: DateTime,
    duration_minutes: v.nullable(Count),
    title: v.nullable(v.string()),
    notes: v.nullable(v.string()),
    booking: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('Data about the booking, from the calendar.')),
  }),
})
