import type { LeadType } from '../../accounts/configuration.ts'
import type { Call } from '../../calling/call.ts'
import { representLead } from '../../leads/api/lead-response.ts'
import type { Lead } from '../../leads/lead.ts'
import { formatInstant } from '../../platform/values/time.ts'

interface Briefing {
  readonly call: Call
  readonly lead: Lead
  readonly leadType: LeadType
  /** The service's own URL, without a trailing slash. */
  readonly baseUrl: string
}

/** The URL to which the agent reports a call. */
const callbackUrl = (baseUrl: string, callId: string): string => `${baseUrl}/api/agents/calls/${callId}/events/`

/** The data that the agent gets about the person and its task. The phone is the call's, because the lead's may have changed since. */
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

/** The request to place a call. It is the same at every retry, as the idempotency key requires. */
export const callRequest = (briefing: Briefing) => ({
  ...callBriefing(briefing),
  requested_time: formatInstant(briefing.call.intent_time),
  not_after: formatInstant(briefing.call.not_after),
})
