import type { Agent, LeadType } from '../../accounts/configuration.ts'
import type { Disclosure } from '../../calling/api/disclosure.ts'
import type { Call } from '../../calling/call.ts'
import { representLead } from '../../leads/api/lead-response.ts'
import type { Lead } from '../../leads/lead.ts'
import { formatInstant } from '../../platform/values/time.ts'
import type { Dial } from '../platforms/adapter.ts'
import { callerNumberFor } from './caller-number.ts'
import { disclosureVariables } from './disclosure-variables.ts'

interface Briefing {
  readonly call: Call
  readonly lead: Lead
  readonly leadType: LeadType
  /** The duties of the agent to say something. */
  readonly disclosures: readonly Disclosure[]
  /** The service's own URL, without a trailing slash. */
  readonly baseUrl: string
}

interface PlatformBriefing extends Briefing {
  /** Where platforms reach the service. Empty: they cannot. */
  readonly platformBaseUrl: string
}

/** The service's own URL, cut from the URL of an agent's request. A function cannot know the address of its own API otherwise. */
export const baseUrlOf = (requestUrl: string): string => requestUrl.slice(0, requestUrl.lastIndexOf('/api/agents/'))

/** The URL to which the agent reports a call. */
const callbackUrl = (baseUrl: string, callId: string): string => `${baseUrl}/api/agents/calls/${callId}/events/`

/**
 * The data that the agent gets about the person and its task. The phone number is the call's, also where the metadata repeats it: the lead's
 * may have changed since the dial, and no gate has passed the new one.
 */
export const callBriefing = ({ call, lead, leadType, disclosures, baseUrl }: Briefing) => ({
  call_id: call.call_id,
  lead: representLead({ ...lead, phone_number: call.phone_number }),
  script: leadType.script,
  disclosures,
  transfer: leadType.transfer,
  // Until version 1.0.2 the operator could set another mode.
  escalation: leadType.escalation && { ...leadType.escalation, mode: 'blind' as const },
  calendar: leadType.calendar !== null,
  callback_url: callbackUrl(baseUrl, call.call_id),
})

/**
 * The request to place a call in our own protocol. A retry has the same key, number and times. The lead and its type are read again, so the rest
 * of its body may be newer.
 */
export const callRequest = (briefing: Briefing) => ({
  ...callBriefing(briefing),
  requested_time: formatInstant(briefing.call.intent_time),
  not_after: formatInstant(briefing.call.not_after),
})

/** The URL to which a platform reports a call. @param baseUrl URL at which the platform reaches the service, without a trailing slash */
export const platformCallbackUrl = (baseUrl: string, agent: string, callId?: string): string =>
  `${baseUrl}/api/agents/platforms/${agent}/events/${callId === undefined ? '' : `?call=${callId}`}`

/** The URL to which a platform sends the calls of one tool. */
export const platformToolUrl = (baseUrl: string, agent: string, tool: string): string =>
  `${baseUrl}/api/agents/platforms/${agent}/tools/${tool}/`

/** Longest value of a variable in characters. The number of variables is limited too: platforms limit a request to some kilobytes. */
const VARIABLE_LENGTH = 1000
const MOST_VARIABLES = 100

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : `${value}`).slice(0, VARIABLE_LENGTH)

/**
 * Texts for an assistant to say or use, by names such as `first_name`. A field of the lead wins over a metadata key of the same name. What
 * the law demands comes first and whole: some platforms leave out the variables after those that fit.
 */
const variablesOf = (briefing: ReturnType<typeof callBriefing>): Record<string, string> => {
  const { call_id, script, lead, disclosures } = briefing
  const { metadata, ...fields } = lead
  const lawful = disclosureVariables(disclosures)
  const own = { ...fields, script, call_id }
  const others = Object.entries(metadata).filter(([name]) => !(name in own))
  const named = [...others, ...Object.entries(own)].filter(([name, value]) => value !== null && value !== '' && !(name in lawful))
  const most = MOST_VARIABLES - Object.keys(lawful).length
  return { ...lawful, ...Object.fromEntries(named.slice(-most).map(([name, value]) => [name, textOf(value).toWellFormed()])) }
}

const OWN_NUMBER = { number: '', id: null }

/** The call for the agent's adapter. */
export const dialOf = (agent: Agent, { platformBaseUrl, ...briefing }: PlatformBriefing): Dial => {
  const { call, lead } = briefing
  const numbers = agent.platform?.from ?? []
  // A retry calls from the number of the first request, which the call has stored.
  const stored = numbers.find(({ number }) => number === call.placed_with?.number)
  return {
    callId: call.call_id,
    to: call.phone_number,
    from: stored ?? callerNumberFor(numbers, call.phone_number, lead.id) ?? OWN_NUMBER,
    variables: agent.platform ? variablesOf(callBriefing(briefing)) : {},
    briefing: callRequest(briefing),
    callbackUrl: platformBaseUrl === '' ? null : platformCallbackUrl(platformBaseUrl, agent.id, call.call_id),
    intentTime: call.intent_time,
    notAfter: call.not_after,
    longestSeconds: agent.platform?.longest_call_seconds ?? 0,
  }
}
