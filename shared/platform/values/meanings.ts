import type { GateName, LeadStatus, NextCallTimeReason, STATUS_REASONS, StatusDetail, Trigger } from './values.ts'
import type { WarningCode } from './warning.ts'

/** Meanings for the API document, the references and the console, one sentence each. No function imports them. */

export const LEAD_STATUS_MEANINGS: Readonly<Record<LeadStatus, string>> = {
  UNKNOWN: 'A client set this status. The lead is not called.',
  NEW: 'Neither the lead nor its user has a lead type, so the lead is not called yet.',
  OPEN: 'The lead is called until its calls reach a result.',
  CALLBACK_TO_TRANSFER: 'The person expects another call: they asked for another call, or nobody could take over the last call.',
  CLOSED: 'A call reached its goal: the person was transferred or assigned.',
  CLOSED_INCOMPLETE: 'The service gave up: the last planned call brought no result, or the voice agent kept refusing calls.',
  LOST: 'The person is not interested or must not be called.',
  SCHEDULE_COMPLETED: 'An appointment is booked.',
  OUT_OF_TERRITORY: 'The person is outside the area that the campaign serves.',
  BAD_NUMBER: 'The number is disconnected or belongs to somebody else.',
  CANCELLED: 'A client withdrew the lead.',
}

export const STATUS_DETAIL_MEANINGS: Readonly<Record<StatusDetail, string>> = {
  blind_transfer: 'The call was forwarded without a check that somebody was there.',
  warm_transfer: 'A representative took over while the agent was still on the line.',
  appointment_booked: 'The agent booked an appointment.',
  live_handoff_unavailable: 'A transfer was tried, and nobody could take over.',
  escalation: 'The call was forwarded to the escalation destination.',
  has_call_dnc: 'The person asked not to be called.',
  tcpa_litigator: 'The agent recognised a known litigator.',
  LEAD_ASSIGNED: 'The lead was assigned to somebody.',
  application_link_sms: 'The agent sent a link to an application by text message.',
}

export const STATUS_REASON_MEANINGS: Readonly<Record<(typeof STATUS_REASONS)[number], string>> = {
  UNKNOWN: 'The lead has the status since its creation, or the service gave up the lead without the outcome of a call.',
  WEBHOOK: 'The update of a live call set the status.',
  MANUAL: 'An update by a client set the status.',
  CHAT: 'The outcome of a call set the status.',
  REENGAGEMENT: 'A newer create of the same person reopened the lead.',
}

export const NEXT_CALL_TIME_REASON_MEANINGS: Readonly<Record<NextCallTimeReason, string>> = {
  FIRST_CALL: 'The first call after creation or reopening.',
  NEXT_AVAILABLE_SLOT: 'An ordinary further call, at the next step of the cadence or as soon as possible.',
  CALLBACK: 'A callback that was promised to the person.',
  SCHEDULED: 'A client scheduled the call.',
  REENGAGEMENT: 'The first call after a reengagement.',
  RESUMED: 'The call became due during a pause, which has ended.',
  OUTSIDE_WINDOW: 'The call was due outside the lawful hours or before `call_schedule_start_time`, and was postponed.',
  CAPACITY: 'The call is due and waits for a free line or for its voice agent.',
  ATTEMPT_CAP: 'The phone has had as many calls in 24 hours as are allowed, so the call was postponed.',
}

export const GATE_MEANINGS: Readonly<Record<GateName, string>> = {
  status: 'The status is `OPEN` or `CALLBACK_TO_TRANSFER`.',
  paused: 'Calls of the user or of this lead are not paused.',
  dnc: 'Neither the lead nor its phone is marked as do-not-call.',
  litigator: "The phone is not on the operator's list of litigators.",
  registry: 'No do-not-call registry that the lead type obeys has the number, or an exemption applies.',
  lead_type: 'The lead has an active lead type with a voice agent, and this lead type may call the number of the lead.',
  consent: 'The consent of the phone and the proof in the metadata are as the lead type demands.',
  reassigned:
    'The reassigned numbers database says that the number was not disconnected since the consent, if the lead type demands the check.',
  start_time: '`call_schedule_start_time` has passed.',
  due: 'The planned time of the next call has come.',
  window: 'The local time is lawful by the rules of the country, the state and the account.',
  attempt_cap: 'The phone and the lead have had fewer calls than allowed.',
  call_in_progress: 'No other call to this phone is in progress.',
  capacity: 'A line is free, and the voice agent is expected to answer.',
}

const reached = (status: LeadStatus): string => `The lead reached the status \`${status}\`, or was created with it.`

/** When each event fires. Every event is sent after the change is made, even if its name has BEFORE in it. */
export const TRIGGER_MEANINGS: Readonly<Record<Trigger, string>> = {
  LEAD_CREATED: 'A lead was created, by a request or from a file.',
  LEAD_UPDATED: 'Data collected in a call changed the lead, perhaps while the call is still in progress.',
  LEAD_CLOSED: reached('CLOSED'),
  LEAD_CLOSED_INCOMPLETE: reached('CLOSED_INCOMPLETE'),
  LEAD_LOST: reached('LOST'),
  LEAD_SCHEDULE_COMPLETED: reached('SCHEDULE_COMPLETED'),
  LEAD_LATE_CALLBACK: 'A promised callback has not started 15 minutes after its time.',
  LEAD_OUT_OF_TERRITORY: reached('OUT_OF_TERRITORY'),
  LEAD_BAD_NUMBER: reached('BAD_NUMBER'),
  LEAD_CANCELLED: reached('CANCELLED'),
  LEAD_CALLBACK_TO_TRANSFER: 'The lead reached the status `CALLBACK_TO_TRANSFER`.',
  LEAD_BEFORE_REENGAGEMENT: 'A create reopens this lead with newer data. The payload has the lead as it was before.',
  LEAD_REENGAGEMENT: 'A create has reopened this lead with newer data. The payload has the lead as it is now.',
  LEAD_FIRST_INBOUND: 'The person has called for the first time.',
  CALL_COMPLETE: 'The outcome of a call is known and applied. Further calls may follow, so a lead can have many of these events.',
  BEFORE_CALLING: 'A call is about to be placed. The payload has the lead and the call as they are before the request to the voice agent.',
  CALL_FAILED: 'The voice agent refused a call, or the result of the call stays unknown.',
  CALL_ENDED: 'A call is over, whether or not its outcome is known.',
  CALL_TRANSFER_INITIATED: 'The voice agent has begun to transfer the call. A call may be transferred several times.',
  SMS_COMPLETE: 'A text message was exchanged with the person.',
  SMS_DNC: 'The person must not get text messages any more: `sms_dnc` was set to true.',
  CALL_DNC: 'The person must not be called any more: `call_dnc` was set to true.',
}

export const WARNING_MEANINGS: Readonly<Record<WarningCode, string>> = {
  no_lead_type: 'The lead has no lead type, so nobody calls it.',
  not_called_abroad: 'The number is outside the North American Numbering Plan, and the lead type does not call such numbers.',
  timezone_required: 'A number outside the North American Numbering Plan is only called if the lead has a `timezone`.',
  unknown_timezone: 'The time zone does not exist. Write a time zone such as `America/New_York`.',
  unknown_place: 'The state or ZIP code does not exist, so it does not tell where the lead is.',
  no_place: 'The lead has no data about its place. The service calls it only in the default hours, which are short.',
  no_state:
    'The time zone of the lead is known, but not its state. The service cannot apply the hours, Sundays, holidays and daily caps of its state. Send a `us_state` or a `zip`.',
  zip_in_other_state:
    'The ZIP code is in another state, the one in `hint`, than the lead says. Calls keep to the rules of both states. Correct the one that is wrong.',
  timezone_outside_state:
    'The time zone is not one of the state of the lead, which is in `hint`. Calls are made by the clock of this time zone, so they may come at night. Correct the one that is wrong.',
  unreadable_day:
    'The metadata key should hold a day such as 2026-11-20, which the lead type needs before a call. The service cannot read it, and does not use it.',
  similar_field:
    'The metadata key is stored, but has no effect. `hint`: the field that it is similar to, or that belongs outside of `metadata`. A consent under this name is not recorded.',
  open_lead: 'The lead in `hint` has the same phone number and is open. The person gets the calls of both.',
  earlier_row:
    'Only for rows of files: an earlier row of the same file wrote the lead, and this row changed it. The report of a dry run names the line of the earlier row.',
  unknown_parameter: 'The route does not take this query parameter. It was ignored. `hint`: the parameter that you probably meant.',
  ignored_parameter:
    'The value of this query parameter was not used, because it is not valid or too large. `hint`: the value that was used instead.',
  unknown_filter_field:
    'No payload has this field, so it is always null in the filter. `hint`: the text in quotes, or the field that you probably meant.',
  dnc_listed: "The flag stays true: the number is on your group's do-not-contact list. Only the operator can take it off.",
  dnc_raised_again: 'The flag stays true, because somebody has set it again in the meantime.',
}
