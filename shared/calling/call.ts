import * as v from 'valibot'
import { absentAsNull, Id, Instant, JsonObject } from '../platform/values/values.ts'

/** What an agent reports of a call's end (left column of the outcome table); anything else counts as `unknown`. */
export const REPORTED_OUTCOMES = [
  'transferred_warm',
  'transferred_blind',
  'escalated',
  'transfer_unavailable',
  'callback_requested',
  'appointment_booked',
  'assigned',
  'application_link_sent',
  'not_interested',
  'do_not_call',
  'litigator',
  'wrong_number',
  'disconnected',
  'out_of_territory',
  'no_answer',
  'busy',
  'failed',
  'voicemail',
  'hung_up',
  'completed',
  'unknown',
] as const
export type ReportedOutcome = (typeof REPORTED_OUTCOMES)[number]

export const CALL_OUTCOMES = [
  'COMPLETED',
  'COMPLETED_CLOSED_LIVE_TRANSFER',
  'COMPLETED_CLOSED_OTHER',
  'COMPLETED_LAST_CALL',
  'COMPLETED_STOP_CALLING',
  'DIAL_BUSY',
  'DIAL_FAILED',
  'DIAL_NO_ANSWER',
  'LEFT_VOICEMAIL',
  'WENT_TO_VOICEMAIL',
  'UNKNOWN',
] as const

export const CALL_STATUSES = ['QUEUED', 'DIALING', 'IN_PROGRESS', 'TRANSFERRING', 'COMPLETED', 'FAILED', 'UNKNOWN'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

/**
 * A call. Its status is not stored: it follows from the milestones, each of which is set once and never changed, so that
 * callbacks may repeat and arrive in any order.
 */
export const Call = v.object({
  call_id: v.string(),
  lead: Id,
  owner: Id,
  attempt: v.number(),
  call_direction: v.picklist(['outbound', 'inbound']),
  /** The phone dialled; it stays with the call when the lead's changes. */
  phone_number: v.string(),
  /** The phone's partition key: the unit of compliance that the call holds. */
  phone_key: v.string(),
  lead_type: absentAsNull(Id),
  agent: v.string(),
  /** `gate: code` of each gate at the instant of the intent. */
  verdicts: v.record(v.string(), v.string()),

  intent_time: Instant,
  /** When the call was due: the lead keeps this turn if nothing of the call reaches the agent. */
  due_time: absentAsNull(Instant),
  /** When the person was promised the call, if it was; the promise of a call that is refused stands. */
  promised_time: absentAsNull(Instant),
  /** No request to the agent after this instant. */
  not_after: Instant,
  /** Written before the agent is asked for the first time: without it nobody's phone can have rung. */
  asked_time: absentAsNull(Instant),
  /** Until when somebody may be asking the agent right now. */
  asking_until: absentAsNull(Instant),
  /** When the agent first said anything of it. */
  heard_time: absentAsNull(Instant),
  /** When the agent last said anything of it, by our clock. Silence counts from here. */
  last_heard_time: absentAsNull(Instant),
  /** When the agent first did what only a conversation can lead to, such as collecting data: the report of the answer may be lost. */
  talked_time: absentAsNull(Instant),
  accepted_time: absentAsNull(Instant),
  provider_call_id: absentAsNull(v.string()),
  answered_time: absentAsNull(Instant),
  ended_time: absentAsNull(Instant),
  completed_time: absentAsNull(Instant),
  /** The provider refused for certain: nobody's phone rang. */
  refused_time: absentAsNull(Instant),
  /** When it turned out that not a byte of the request had reached the agent, as when it refuses connections. It is refused, too. */
  unsent_time: absentAsNull(Instant),
  /** When the agent took it that the call is to be cancelled: it was stopped before anybody answered. */
  cancel_asked_time: absentAsNull(Instant),
  /** The call's fate could not be found out. */
  unknown_time: absentAsNull(Instant),
  /** Everything that follows from the call has been done and its phone is free. */
  settled_time: absentAsNull(Instant),

  failure: absentAsNull(v.string()),
  /** Acceptance sequences of what the person asked for in the call, "do not contact": of the first time that it was told. */
  call_stopped: absentAsNull(v.string()),
  sms_stopped: absentAsNull(v.string()),
  reported_outcome: absentAsNull(v.picklist(REPORTED_OUTCOMES)),
  /** Later completions that told another outcome: the first one stands. */
  contradictions: absentAsNull(v.array(v.object({ time: Instant, outcome: v.picklist(REPORTED_OUTCOMES) }))),
  outcome: absentAsNull(v.picklist(CALL_OUTCOMES)),
  is_contact: absentAsNull(v.boolean()),
  summary: absentAsNull(v.string()),
  callback_time: absentAsNull(Instant),
  appointment: absentAsNull(JsonObject),
  /** What was told of transfers, as JSON text of `TransferTold`: a set, since one call may have several legs. */
  transfers_told: absentAsNull(v.array(v.string())),
  /** The start of an appointment that the calendar was asked for, and has not refused. No other one is asked for. */
  wanted_start: absentAsNull(Instant),
  /** Until when somebody is asking for it right now. */
  wanted_until: absentAsNull(Instant),
  representative: absentAsNull(JsonObject),
  external_ids: absentAsNull(JsonObject),
  duration_seconds: absentAsNull(v.number()),
})
export type Call = v.InferOutput<typeof Call>
