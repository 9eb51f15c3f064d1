import { isCallable } from '../../../leads/rules/status.ts'
import { isInternational } from '../../../location/rules/locate.ts'
import { callingHours } from '../calling-hours.ts'
import { type Gate, type GateInputs, type Verdict, verdict } from '../verdict.ts'

/** Gates that look at the lead and its type. */

export const status: Gate = ({ lead }) => {
  const passed = isCallable(lead.status)
  return verdict('status', passed, {
    code: lead.status,
    detail: passed ? 'The lead is callable.' : `Leads in status ${lead.status} are not called.`,
    inputs: { status: lead.status },
  })
}

type TypeFacts = Pick<GateInputs, 'lead' | 'leadType' | 'hasAgent' | 'policy'>

const leadTypeState = ({ lead, leadType: type, hasAgent, policy }: TypeFacts): { code: string; detail: string } => {
  if (!type) return { code: 'NONE', detail: 'The lead has no lead type, or its lead type no longer exists.' }
  if (!type.active) return { code: 'INACTIVE', detail: 'The lead type is not active.' }
  if (!hasAgent) return { code: 'NO_AGENT', detail: 'The voice agent of the lead type does not exist.' }
  if (!isInternational(lead)) return { code: 'ACTIVE', detail: 'The lead type is active.' }
  if (!type.international)
    return { code: 'INTERNATIONAL', detail: 'The lead type does not call numbers outside the North American Numbering Plan.' }
  if (callingHours(lead, policy).location.timezones.length === 0)
    return { code: 'NO_TIMEZONE', detail: 'A lead outside the North American Numbering Plan needs a timezone.' }
  return { code: 'ACTIVE', detail: 'The lead type is active and calls abroad.' }
}

export const leadType = (facts: TypeFacts): Verdict => {
  const state = leadTypeState(facts)
  const agent = state.code === 'NO_AGENT' ? { agent: facts.leadType?.agent ?? '' } : {}
  return verdict('lead_type', state.code === 'ACTIVE', { ...state, inputs: { lead_type: facts.lead.lead_type, ...agent } })
}

/** Texts that mean no, or nothing, in the field for the proof of consent. */
const NO_PROOF = new Set([
  ...['', 'false', 'no', 'n', 'f', 'off', '0', 'none', 'null', 'n/a', 'na', 'unknown'],
  ...['revoked', 'denied', 'withdrawn', 'not given'],
])

/** A meaningful text, a number other than 0, or true. A list or an object proves nothing that we could check. */
const isProof = (value: unknown): boolean => {
  if (typeof value === 'string') return !NO_PROOF.has(value.trim().replace(/\s+/g, ' ').toLowerCase())
  return value === true || (typeof value === 'number' && value !== 0)
}

export const consent = ({ lead, leadType: type }: Pick<GateInputs, 'lead' | 'leadType'>): Verdict => {
  const field = type?.consent_field ?? null
  if (field === null) {
    return verdict('consent', true, { code: 'NOT_ASKED', detail: 'The lead type requires no proof of consent.', inputs: {} })
  }
  const value = Object.hasOwn(lead.metadata, field) ? lead.metadata[field] : undefined
  const passed = isProof(value)
  return verdict('consent', passed, {
    code: passed ? 'GIVEN' : 'MISSING',
    detail: passed ? `The metadata field ${field} proves consent.` : `The metadata field ${field} holds no proof of consent.`,
    inputs: { consent_field: field, value: value ?? null },
    rule: 'prior express written consent',
    citation: '47 CFR 64.1200(a)(2)',
  })
}
