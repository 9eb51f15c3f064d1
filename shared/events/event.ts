import * as v from 'valibot'
import { Call } from '../calling/call.ts'
import { PublishedLead } from '../leads/lead.ts'
import { MINUTE } from '../platform/values/durations.ts'
import { absentAsNull, Id, Instant, TRIGGERS } from '../platform/values/values.ts'
import { Sms } from './sms.ts'

export const EVENT_SOURCE = 'lead-outreach'

/** Milliseconds. The visibility timeout of the queue of events. */
export const EVENT_HIDDEN = 3 * MINUTE
/** Three hours of failures. Only its message leads to an event, so no short failure may make it a dead letter. */
export const EVENT_RECEIVES = 60
/** Milliseconds. No event in the dead letters is younger, whatever the clocks of two functions say. */
export const DEAD_LETTER_AGE = (EVENT_RECEIVES - 1) * EVENT_HIDDEN

/**
 * The message on the bus: one thing that happened to one lead. An event derived from the lead's record carries the lead as in that record.
 * An event derived from a call's record carries the call. Missing parts are read when the payload is built.
 */
export const LeadEvent = v.object({
  /** The same at every repeat: the id of the stream's record, and the trigger. */
  event_id: v.string(),
  trigger: v.picklist(TRIGGERS),
  owner: Id,
  lead_id: Id,
  /** When it happened. May be earlier than its write: an agent reports some times, and other events wait until a call is settled. */
  event_time: Instant,
  /** Sorts in the order of the lead's commits. */
  sequence: v.string(),
  lead: absentAsNull(PublishedLead),
  call: absentAsNull(Call),
  /** The call that the event is about, when it is about one. */
  call_id: absentAsNull(v.string()),
  /** The text message that the event is about. */
  sms: v.optional(Sms),
  /** By our clock, and after the write of the event's change. Version 1.0.2 left it out. */
  published_time: v.optional(Instant),
})
export type LeadEvent = v.InferOutput<typeof LeadEvent>
