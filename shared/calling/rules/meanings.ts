import type { CALL_OUTCOMES, CallStatus, ReportedOutcome } from '../call.ts'

/** Meanings for the API document and the references, one sentence each. No function imports them. */

export const CALL_STATUS_MEANINGS: Readonly<Record<CallStatus, string>> = {
  QUEUED: 'The service asks the voice agent to place the call.',
  DIALING: 'The voice agent has accepted the call, and nobody has answered yet.',
  IN_PROGRESS: 'Somebody has answered.',
  TRANSFERRING: 'A transfer has begun and has not ended.',
  COMPLETED: 'The call is over.',
  FAILED: 'The voice agent refused the call, so no phone rang.',
  UNKNOWN: 'The result of the call is not known. The service does not dial this call again.',
}

export const CALL_OUTCOME_MEANINGS: Readonly<Record<(typeof CALL_OUTCOMES)[number], string>> = {
  COMPLETED: 'A conversation after which further calls may follow, or a person outside the territory.',
  COMPLETED_CLOSED_LIVE_TRANSFER: 'The person was handed over in the call.',
  COMPLETED_CLOSED_OTHER: 'The goal was reached in another way: an appointment or an assignment.',
  COMPLETED_LAST_CALL: 'A conversation without a result, in the last call of the cadence.',
  COMPLETED_STOP_CALLING: 'The person must not be called again, or does not want to be called again.',
  DIAL_BUSY: 'The line was busy.',
  DIAL_FAILED: 'The call could not be connected.',
  DIAL_NO_ANSWER: 'Nobody answered.',
  LEFT_VOICEMAIL: 'A voicemail answered, and the agent left a message.',
  WENT_TO_VOICEMAIL: 'A voicemail answered, and the agent left no message.',
  UNKNOWN: 'The agent does not know the result, or reported a value that the service does not know.',
}

export const REPORTED_OUTCOME_MEANINGS: Readonly<Record<ReportedOutcome, string>> = {
  transferred_warm: 'A representative took over while the agent was on the line.',
  transferred_blind: 'The agent forwarded the call without asking whether somebody was there.',
  escalated: 'The agent forwarded the call to the escalation destination.',
  transfer_unavailable: 'Nobody could take over.',
  callback_requested: 'The person wants to be called at another time.',
  appointment_booked: 'An appointment was made.',
  assigned: 'The lead was assigned to somebody.',
  application_link_sent: 'The agent sent a link to an application.',
  not_interested: 'The person does not want the offer. This is not a do-not-call request.',
  do_not_call: 'The person asked not to be called again.',
  litigator: 'The person is a known litigator.',
  wrong_number: 'The number belongs to somebody else.',
  disconnected: 'The number is not in service.',
  out_of_territory: 'The person is outside the area that is served.',
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  failed: 'The call could not be connected.',
  voicemail: 'A voicemail answered.',
  call_screened: 'An assistant that screens calls answered, and the person never spoke.',
  hung_up: 'The person hung up before there was a result.',
  completed: 'A conversation without one of the other results.',
  unknown: 'The agent does not know the result. Any other text counts as `unknown`.',
}

export const TRANSFER_STATUS_MEANINGS = {
  initiated: 'The agent calls the destination.',
  connected: 'Somebody at the destination is on the line.',
  unavailable: 'Nobody took over.',
  ended: 'The person was handed over, and the leg is over.',
} as const
