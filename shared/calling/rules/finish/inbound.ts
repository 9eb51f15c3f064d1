import type { LeadType } from '../../../accounts/configuration.ts'
import type { Lead } from '../../../leads/lead.ts'
import { isCallable } from '../../../leads/rules/status.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { sourceName } from '../../../statistics/rules/source-name.ts'
import type { Phone } from '../../../stops/compliance.ts'
import type { Call } from '../../call.ts'
import { isAnswered } from '../call-status.ts'
import { EMPTY_CALL } from '../empty-call.ts'
import { NO_NEXT_CALL } from '../next-call.ts'
import { mayBeOnThePhone, silentFrom } from '../silence.ts'

/** A person who calls us, as far as the service knows them. */
export interface Caller {
  readonly lead: Lead
  readonly phone: Phone
  /** Partition key of the phone. */
  readonly phonePk: string
  readonly number: string
  /** The lead type of the number that was called. Its agent and its script take the call. */
  readonly leadType: LeadType
  readonly providerCallId: string
  readonly lineGroup: number
  readonly now: Instant
}

/** The inbound call once the agent has answered it. Its verdicts record the person's status, and refuse nothing. */
export const inboundCall = (callId: string, { lead, phone, phonePk, number, leadType, providerCallId, lineGroup, now }: Caller): Call => ({
  call_id: callId,
  lead: lead.id,
  owner: lead.owner,
  attempt: lead.attempts + 1,
  call_direction: 'inbound',
  phone_number: number,
  phone_key: phonePk,
  lead_type: leadType.id,
  lead_source: sourceName(lead.lead_source),
  agent: leadType.agent,
  verdicts: { status: lead.status, dnc: lead.call_dnc || phone.call_dnc ? 'CALL_DNC' : 'NO_DNC' },
  intent_time: now,
  due_time: null,
  promised_time: null,
  not_after: now,
  ...EMPTY_CALL,
  line_group: lineGroup || null,
  heard_time: now,
  answered_time: now,
  provider_call_id: providerCallId,
})

/**
 * Whether the inbound call takes the phone over from `holder`. A call that nobody answered cannot reach the person any more, who is on
 * the phone with us. `holder`: undefined when that call is gone.
 */
export const givesPhoneAway = (holder: Call | undefined, now: Instant): boolean =>
  !holder || !isAnswered(holder) || !mayBeOnThePhone(holder, now)

/** Whether the lead's current call has an outcome that is not yet applied to the lead. */
export const isUnreported = (current: Call | undefined): current is Call =>
  current !== undefined && (current.completed_time !== null || current.refused_time !== null)

/** A status that a client or a representative has set stays. */
const SET_BY_HAND: ReadonlySet<Lead['status_reason']> = new Set(['MANUAL', 'WEBHOOK'])

/**
 * Whether an outcome may change the lead: while it is callable, or when its calls ended without reaching anybody. Such a person may call
 * back because of a voicemail. Calls that ended otherwise, by a stop or a success, stay ended.
 */
const isOpenTo = ({ status, status_reason }: Lead, { verdicts }: Call): boolean =>
  isCallable(status) || (status === 'CLOSED_INCOMPLETE' && !SET_BY_HAND.has(status_reason) && verdicts['dnc'] !== 'CALL_DNC')

/**
 * The lead while the person is on the phone. The call has the next attempt number, but neither the cadence nor the caps count it. Its
 * outcome decides on the lead, unless the lead is closed to it or in another answered call. Then only the call records the outcome. The
 * next call is removed, because the person is on the phone. One that is far enough ahead stays, in case no outcome is reported.
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
