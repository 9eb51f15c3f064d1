import * as v from 'valibot'
import { absentAsNull, Id, Instant, JsonObject } from '../platform/values/values.ts'

/** Outcomes that an agent can report; `outcomes.ts` has their effects. Anything else counts as `unknown`. */
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
  'call_screened',
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
 * A call. Its status is not stored, but follows from the milestones. Each milestone is set once and never changes. Callbacks may
 * therefore repeat, and arrive in any order.
 */
export const Call = v.object({
  call_id: v.string(),
  lead: Id,
  owner: Id,
  attempt: v.number(),
  call_direction: v.picklist(['outbound', 'inbound']),
  /** The person's phone in this call. It stays when the lead gets another phone. */
  phone_number: v.string(),
  /** The phone's partition key: the unit of compliance that the call holds. */
  phone_key: v.string(),
  lead_type: absentAsNull(Id),
  /** The lead's source when the call began, as statistics name it. Absent in calls of version 1.0.2 or older, which are not counted. */
  lead_source: absentAsNull(v.string()),
  agent: v.string(),
  /**
   * The platform, assistant and number that the dial chose. Null: an agent of the open protocol, an inbound call, or a call of version 1.0.2 or
   * older.
   */
  placed_with: absentAsNull(v.object({ platform: v.string(), assistant: v.string(), number: absentAsNull(v.string()) })),
  /** The address of the agent at the dial; see `addressOf`. Null for an inbound call, and for a call of version 1.0.2 or older. */
  agent_address: absentAsNull(v.string()),
  /** The verdict's code, by gate, at the instant of the intent. */
  verdicts: v.record(v.string(), v.string()),

  intent_time: Instant,
  /** When the call was due. The lead keeps this turn when the request never reaches the agent. */
  due_time: absentAsNull(Instant),
  /** The time promised to the person, if any. The promise outlives a refused call. */
  promised_time: absentAsNull(Instant),
  /** No request to the agent after this instant. */
  not_after: Instant,
  /** Written with the intent. Null for inbound calls: no agent can be asked to cancel those. */
  asked_time: absentAsNull(Instant),
  /** A request to the agent may be running until this instant. */
  asking_until: absentAsNull(Instant),
  /** When the agent first reported on the call. */
  heard_time: absentAsNull(Instant),
  /** When the agent last reported on the call, by our clock. Silence counts from here. */
  last_heard_time: absentAsNull(Instant),
  /** When the agent first did something that proves a conversation, such as collecting data. The report of the answer may be lost. */
  talked_time: absentAsNull(Instant),
  accepted_time: absentAsNull(Instant),
  provider_call_id: absentAsNull(v.string()),
  /** Set with `accepted_time` when the agent is on a voice platform, which can be asked how the call goes. */
  on_platform: absentAsNull(v.boolean()),
  /** When an undocumented event or value was first logged. */
  undocumented_time: absentAsNull(Instant),
  /** Set with `on_platform` when the platform was given no address to report to. */
  only_polled: absentAsNull(v.boolean()),
  answered_time: absentAsNull(Instant),
  ended_time: absentAsNull(Instant),
  completed_time: absentAsNull(Instant),
  /** The provider refused for certain: nobody's phone rang. */
  refused_time: absentAsNull(Instant),
  /**
   * Set with `refused_time` when the attempt costs the lead nothing: no byte of the request reached the agent, for example because it
   * refused the connection, or the agent's account can take no calls now.
   */
  unsent_time: absentAsNull(Instant),
  /**
   * Set with `refused_time` when the agent or its account is to blame. `BELIEVED`: certainly. `DOUBTED`: perhaps the cause is this call, so
   * the refusal counts among the lead's `refusals`.
   */
  account_blame: absentAsNull(v.picklist(['BELIEVED', 'DOUBTED'])),
  /** The group of lines that the call has one of; null for the first group. */
  line_group: absentAsNull(v.number()),
  /**
   * The fence that the dial read with the owner's pauses. Each later pause raises the fence of the call's group above it. Null: an inbound call,
   * or a call of an earlier version.
   */
  line_fence: absentAsNull(v.number()),
  /** When the agent accepted a request to cancel the call, before anybody had answered. */
  cancel_asked_time: absentAsNull(Instant),
  /** When the call's fate was given up as unknown. */
  unknown_time: absentAsNull(Instant),
  /** Everything that follows from the call has been done and its phone is free. Removed when a call that was given up is reported later. */
  settled_time: absentAsNull(Instant),

  failure: absentAsNull(v.string()),
  /** Why the first answer to the request to place the call did not tell whether a phone rings. */
  unclear_reason: absentAsNull(v.string()),
  /** Acceptance sequences of the "do not contact" requests made in the call. The first report counts. */
  call_stopped: absentAsNull(v.string()),
  sms_stopped: absentAsNull(v.string()),
  /** The outcome that counts if the agent reports only the end of the call. */
  presumed_outcome: absentAsNull(v.picklist(REPORTED_OUTCOMES)),
  reported_outcome: absentAsNull(v.picklist(REPORTED_OUTCOMES)),
  /** Later completions with another outcome. The first outcome stands. */
  contradictions: absentAsNull(v.array(v.object({ time: Instant, outcome: v.picklist(REPORTED_OUTCOMES) }))),
  outcome: absentAsNull(v.picklist(CALL_OUTCOMES)),
  is_contact: absentAsNull(v.boolean()),
  summary: absentAsNull(v.string()),
  callback_time: absentAsNull(Instant),
  appointment: absentAsNull(JsonObject),
  /** The transfer reports, as JSON texts of `TransferReport`. A set, because one call may have several legs. */
  transfers_told: absentAsNull(v.array(v.string())),
  /** Start of an appointment that the calendar was asked for and has not refused. No other start is requested meanwhile. */
  wanted_start: absentAsNull(Instant),
  /** A request to the calendar may be running until this instant. */
  wanted_until: absentAsNull(Instant),
  representative: absentAsNull(JsonObject),
  external_ids: absentAsNull(JsonObject),
  duration_seconds: absentAsNull(v.number()),
})
export type Call = v.InferOutput<typeof Call>
