import * as v from 'valibot'
import { Count, DateTime } from '../../http/responses/values.ts'
import { LeadResponse } from '../../leads/api/lead-response.ts'

const HandOver = v.strictObject({
  mode: v.picklist(['warm', 'blind']),
  destinations: v.pipe(v.array(v.string()), v.minLength(1)),
  hold_limit_seconds: v.pipe(Count, v.description('How long the person may be kept waiting for somebody who takes over.')),
})

/** The briefing that an agent gets about an inbound caller. */
export const InboundBriefingResponse = v.strictObject({
  call_id: v.string(),
  lead: LeadResponse,
  script: v.string(),
  transfer: v.nullable(HandOver),
  escalation: v.nullable(HandOver),
  calendar: v.pipe(v.boolean(), v.description('Whether the lead type has a calendar, of which free slots can be asked.')),
  callback_url: v.pipe(v.string(), v.url()),
})

const CalendarTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }), v.description('As the calendar writes it.'))

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
    booking: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('What the calendar says of it.')),
  }),
})
