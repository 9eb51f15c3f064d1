import type { LeadType } from '../../../accounts/configuration.ts'
import type { Lead } from '../../../leads/lead.ts'
import { isCallable } from '../../../leads/rules/status.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Phone } from '../../../stops/compliance.ts'
import type { Call } from '../../call.ts'
import { isAnswered } from '../call-status.ts'
import { EMPTY_CALL } from '../empty-call.ts'
import { NO_NEXT_CALL } from '../next-call.ts'
import { mayBeOnThePhone, silentFrom } from '../silence.ts'

/** What is known of a person who calls. */
export interface Caller {
  readonly lead: Lead
  readonly phone: Phone
  /** Partition key of the phone. */
  readonly phonePk: string
  readonly number: string
  /** Of the number that was called: its agent and its script take the call. */
  readonly leadType: LeadType
  readonly providerCallId: string
  readonly now: Instant
}

/** The call as it is when the agent has answered it. Its verdicts tell how the person stood, and refuse nothing. */
export const inboundCall = (callId: string, { lead, phone, phonePk, number, leadType, providerCallId, now }: Caller): Call => ({
  call_id: callId,
  lead: lead.id,
  owner: lead.owner,
  attempt: lead.attempts + 1,
  call_direction: 'inbound',
  phone_number: number,
  phone_key: phonePk,
  lead_type: leadType.id,
  agent: leadType.agent,
  verdicts: { status: lead.status, dnc: lead.call_dnc || phone.call_dnc ? 'CALL_DNC' : 'NO_DNC' },
  intent_time: now,
  due_time: null,
  promised_time: null,
  not_after: now,
  ...EMPTY_CALL,
  heard_time: now,
  answered_time: now,
  provider_call_id: providerCallId,
})

/**
 * Whether the phone is the inbound call's now, that another one has: a call that nobody answered reaches nobody any more, for the
 * person is on the phone with us. `holder`: undefined when it is gone.
 */
export const givesPhoneAway = (holder: Call | undefined, now: Instant): boolean =>
  !holder || !isAnswered(holder) || !mayBeOnThePhone(holder, now)

/** Whether a call has come to something that is still to be told to its lead. */
export const isUntold = (current: Call | undefined): current is Call =>
  current !== undefined && (current.completed_time !== null || current.refused_time !== null)

/** What a client or a representative has set stays set. */
const SET_BY_HAND: ReadonlySet<Lead['status_reason']> = new Set(['MANUAL', 'WEBHOOK'])

/**
 * Whether an outcome may change the lead: as long as it is called, and after the last of its calls found nobody – calling back is
 * what a voicemail asks for. What else ended the calls, a stop or a success, is not undone by it.
 */
const isOpenTo = ({ status, status_reason }: Lead, { verdicts }: Call): boolean =>
  isCallable(status) || (status === 'CLOSED_INCOMPLETE' && !SET_BY_HAND.has(status_reason) && verdicts['dnc'] !== 'CALL_DNC')

/**
 * The lead while the person is on the phone. The call has the next attempt number, but is none of ours: neither the cadence nor
 * the caps count it. Its outcome decides on the lead, unless that is out of reach or in an answered call: then it is recorded on the
 * call alone. Nobody is called who is on the phone; a next call that is far enough ahead stays, should no outcome be told.
 * @param current the lead's current call, if it has one
 */
export const answered = (lead: Lead, call: Call, current: Call | undefined): Lead => {
  const decides = isOpenTo(lead, call) && (!current || !isAnswered(current))
  const stays = !decides || (lead.next_call_time ?? 0) > silentFrom(call)
  return {
    ...lead,
    ...(!stays && NO_NEXT_CALL),
    version: lead.version + 1,
    cause: 'inbound',
    modified_time: call.intent_time,
    attempts: call.attempt,
    current_call: decides ? call.call_id : lead.current_call,
    told_by: call.call_id,
    first_inbound_time: lead.first_inbound_time ?? call.intent_time,
  }
}
