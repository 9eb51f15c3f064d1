import type { LeadType } from '../../accounts/configuration.ts'
import type { Call } from '../../calling/call.ts'
import { representLead } from '../../leads/api/represent-lead.ts'
import type { Lead } from '../../leads/lead.ts'
import { formatInstant } from '../../platform/values/time.ts'

interface Briefing {
  readonly call: Call
  readonly lead: Lead
  readonly leadType: LeadType
  /** The service's own address, without a slash at its end. */
  readonly baseUrl: string
}

/** Where the agent reports a call. */
const callbackUrl = (baseUrl: string, callId: string): string => `${baseUrl}/api/agents/calls/${callId}/events/`

/**
 * What the agent is told of the person that it speaks with, and of what it is to do. The phone is the call's: the lead's may have changed
 * since.
 */
export const callBriefing = ({ call, lead, leadType, baseUrl }: Briefing) => ({
  call_id: call.call_id,
  lead: { ...representLead(lead), phone_number: call.phone_number },
  script: leadType.script,
  transfer: leadType.transfer,
  // Until version 1.0.2 the operator could set another mode.
  escalation: leadType.escalation && { ...leadType.escalation, mode: 'blind' as const },
  calendar: leadType.calendar !== null,
  callback_url: callbackUrl(baseUrl, call.call_id),
})

/**
 * What it is told of a call that it is to place. Nothing in it tells one asking from the next: the same idempotency key goes with
 * the same request.
 */
export const callRequest = (briefing: Briefing) => ({
  ...callBriefing(briefing),
  requested_time: formatInstant(briefing.call.intent_time),
  not_after: formatInstant(briefing.call.not_after),
})
