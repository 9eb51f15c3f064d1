import type { LeadStatus, StatusDetail } from '../../platform/values/values.ts'
import { type CALL_OUTCOMES, REPORTED_OUTCOMES, type ReportedOutcome } from '../call.ts'

/** The effect of an outcome on its lead. */
export interface Outcome {
  /** As the API, `last_chat` and filters show it. */
  readonly outcome: (typeof CALL_OUTCOMES)[number]
  readonly status: LeadStatus
  readonly detail: StatusDetail | null
  /** Whether and when another call follows: by the cadence, at the time asked for, or soon after a failed transfer. */
  readonly next: 'none' | 'cadence' | 'callback' | 'transfer_callback'
  /** The person asked not to be called, or must not be. */
  readonly dnc: boolean
  /** Somebody spoke with the agent. */
  readonly conversation: boolean
}

type Shown = Outcome['outcome']

const final = (outcome: Shown, status: LeadStatus, detail: StatusDetail | null = null): Outcome => ({
  outcome,
  status,
  detail,
  next: 'none',
  dnc: false,
  conversation: true,
})

const further = (outcome: Shown, conversation: boolean): Outcome => ({
  outcome,
  status: 'OPEN',
  detail: null,
  next: 'cadence',
  dnc: false,
  conversation,
})

const callBack = (next: 'callback' | 'transfer_callback', detail: StatusDetail | null = null): Outcome => ({
  outcome: 'COMPLETED',
  status: 'CALLBACK_TO_TRANSFER',
  detail,
  next,
  dnc: false,
  conversation: true,
})

/** The effects, by the outcome that the agent reports. `voicemail`: no message was left. */
const OUTCOMES: Record<ReportedOutcome, Outcome> = {
  transferred_warm: final('COMPLETED_CLOSED_LIVE_TRANSFER', 'CLOSED', 'warm_transfer'),
  transferred_blind: final('COMPLETED_CLOSED_LIVE_TRANSFER', 'CLOSED', 'blind_transfer'),
  escalated: final('COMPLETED_CLOSED_LIVE_TRANSFER', 'CLOSED', 'escalation'),
  transfer_unavailable: callBack('transfer_callback', 'live_handoff_unavailable'),
  callback_requested: callBack('callback'),
  appointment_booked: final('COMPLETED_CLOSED_OTHER', 'SCHEDULE_COMPLETED', 'appointment_booked'),
  assigned: final('COMPLETED_CLOSED_OTHER', 'CLOSED', 'LEAD_ASSIGNED'),
  application_link_sent: { ...further('COMPLETED', true), detail: 'application_link_sms' },
  not_interested: final('COMPLETED_STOP_CALLING', 'LOST'),
  do_not_call: { ...final('COMPLETED_STOP_CALLING', 'LOST', 'has_call_dnc'), dnc: true },
  litigator: { ...final('COMPLETED_STOP_CALLING', 'LOST', 'tcpa_litigator'), dnc: true },
  wrong_number: final('COMPLETED_STOP_CALLING', 'BAD_NUMBER'),
  disconnected: { ...final('DIAL_FAILED', 'BAD_NUMBER'), conversation: false },
  out_of_territory: final('COMPLETED', 'OUT_OF_TERRITORY'),
  no_answer: further('DIAL_NO_ANSWER', false),
  busy: further('DIAL_BUSY', false),
  failed: further('DIAL_FAILED', false),
  voicemail: further('WENT_TO_VOICEMAIL', false),
  call_screened: further('WENT_TO_VOICEMAIL', false),
  hung_up: further('COMPLETED', true),
  completed: further('COMPLETED', true),
  unknown: further('UNKNOWN', false),
}

/** The effect of a reported outcome. `messageLeft` matters for a voicemail only. */
export const outcomeOf = (reported: ReportedOutcome, messageLeft = false): Outcome =>
  reported === 'voicemail' && messageLeft ? { ...OUTCOMES.voicemail, outcome: 'LEFT_VOICEMAIL' } : OUTCOMES[reported]

/** The outcome that a text names. Agents, models and flows also write `Do not call`, `do-not-call` or ` DO_NOT_CALL`. */
export const outcomeNamed = (text: unknown): ReportedOutcome | undefined => {
  const words = typeof text === 'string' ? text.toLowerCase().match(/[a-z]+/g) : null
  const name = words?.join('_')
  return REPORTED_OUTCOMES.find((outcome) => outcome === name)
}
