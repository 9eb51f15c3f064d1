import type { Call } from '../../schema/call.ts'
import type { Phone } from '../../schema/compliance.ts'
import type { LeadType } from '../../schema/configuration.ts'
import type { Lead } from '../../schema/lead.ts'
import type { Instant } from '../../schema/values.ts'
import { isCallable } from '../leads/status.ts'
import { NO_NEXT_CALL } from './next-call.ts'
import { silentFrom } from './silence.ts'
import { UNTOLD } from './untold.ts'

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
  promised_time: null,
  not_after: now,
  ...UNTOLD,
  heard_time: now,
  answered_time: now,
  provider_call_id: providerCallId,
})

/**
 * The lead while the person is on the phone. The call has the next attempt number, but is none of ours: neither the cadence nor
 * the caps count it. Its outcome decides on the lead, unless that is out of reach already: then it is recorded on the call alone.
 * Nobody is called who is on the phone; a next call that is far enough ahead stays, should no outcome be told.
 */
export const answered = (lead: Lead, call: Call): Lead => {
  const decides = isCallable(lead.status) && lead.current_call === null
  const stays = !decides || (lead.next_call_time ?? 0) > silentFrom(call)
  return {
    ...lead,
    ...(!stays && NO_NEXT_CALL),
    version: lead.version + 1,
    cause: 'inbound',
    modified_time: call.intent_time,
    attempts: call.attempt,
    current_call: decides ? call.call_id : lead.current_call,
    first_inbound_time: lead.first_inbound_time ?? call.intent_time,
  }
}
