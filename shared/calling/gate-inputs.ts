import type { User } from '../accounts/configuration.ts'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { getBreaker } from '../agents/breaker-store.ts'
import { addressOf } from '../agents/rules/agent-address.ts'
import { type Breaker, TRUSTED } from '../agents/rules/breaker.ts'
import { readConsent } from '../consents/read-consent.ts'
import type { Lead } from '../leads/lead.ts'
import { now } from '../platform/clock.ts'
import { parsePhonePk } from '../platform/keys.ts'
import type { Reading } from '../platform/table/table.ts'
import type { ReassignedAnswer } from '../reassigned/answer.ts'
import { answersAbout } from '../reassigned/answer-store.ts'
import { findOnRegistries } from '../registries/registry-store.ts'
import type { Lines } from '../stops/compliance.ts'
import { isListedLitigator } from '../stops/litigator-store.ts'
import { getPhone } from '../stops/phone-store.ts'
import { callingPolicy } from './calling-policy.ts'
import { getLines, seeAllLines } from './line-store.ts'
import type { SeenLines } from './rules/dial/line-groups.ts'
import { isReassignmentAsked } from './rules/gates/reassigned.ts'
import { registriesFor } from './rules/gates/registry.ts'
import type { GateInputs } from './rules/verdict.ts'

/** How to find a free line: see `seeLines`. */
type LineSearch = (owner: User, lines: Lines) => Promise<SeenLines>

interface Known extends Pick<GateInputs, 'phone' | 'isLitigator' | 'lines'> {
  readonly breakerOf: (agent: string) => Promise<Breaker>
  readonly consentOf: typeof readConsent
}

type PhoneInputs = Pick<GateInputs, 'consent' | 'registries' | 'reassigned'>

/** Reads what is stored about a lead's phone by its number: only what the lead type and the laws demand for this lead. */
export const phoneInputs = async (
  inputs: Pick<GateInputs, 'lead' | 'leadType' | 'policy' | 'now'>,
  hash: string,
  consentOf = readConsent,
): Promise<PhoneInputs> => {
  const isAsked = isReassignmentAsked(inputs)
  const nothing: readonly ReassignedAnswer[] = []
  const [consent, registries, reassigned] = await Promise.all([
    consentOf(inputs.lead, inputs.leadType, isAsked),
    findOnRegistries(registriesFor(inputs), hash),
    isAsked ? answersAbout(hash) : nothing,
  ])
  return { consent, registries, reassigned }
}

/**
 * Reads everything that the gates look at.
 * @param pk partition key of the lead's phone in the owner's DNC group
 * @param reading of lines and breaker. For a dial both may be old. The transaction refuses a line if a pause began after the read. A call to an
 *   agent that went down a moment ago fails as the calls before it
 * @param known already, for a caller that asks about many leads
 */
export const readGateInputs = async (
  lead: Lead,
  owner: User,
  pk: string,
  search: LineSearch = seeAllLines,
  reading?: Reading,
  known?: Known,
): Promise<GateInputs> => {
  const breakerOf = known?.breakerOf ?? ((agent) => getBreaker(agent, reading))
  const { hash } = parsePhonePk(pk)
  const [phone, lines, policy, leadType] = await Promise.all([
    known?.phone ?? getPhone(pk),
    known?.lines ?? getLines(owner.id, reading),
    callingPolicy(owner),
    lead.lead_type === null ? undefined : getLeadType(owner.id, lead.lead_type),
  ])
  const at = now()
  const [seenLines, agent, breaker, isLitigator, ofPhone] = await Promise.all([
    search(owner, lines),
    leadType && getAgent(leadType.agent),
    leadType ? breakerOf(leadType.agent) : TRUSTED,
    known?.isLitigator ?? isListedLitigator(lead.phone_number),
    phoneInputs({ lead, leadType, policy, now: at }, hash, known?.consentOf),
  ])
  return {
    now: now(),
    lead,
    owner,
    leadType,
    phone,
    phoneHash: hash,
    isLitigator,
    ...ofPhone,
    lines,
    seenLines,
    hasAgent: agent !== undefined,
    agentAddress: agent ? addressOf(agent) : null,
    breaker,
    policy,
  }
}
