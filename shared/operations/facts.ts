import { now } from '../adapters/clock.ts'
import type { Facts } from '../domain/calling/verdict.ts'
import { TRUSTED } from '../schema/breaker.ts'
import type { User } from '../schema/configuration.ts'
import type { Lead } from '../schema/lead.ts'
import { getAgent } from '../storage/agents.ts'
import { getBreaker } from '../storage/breakers.ts'
import { parsePhonePk } from '../storage/keys.ts'
import { getLeadType } from '../storage/lead-types.ts'
import { getLines } from '../storage/lines.ts'
import { isListedLitigator } from '../storage/litigators.ts'
import { getPhone } from '../storage/phones.ts'
import { callingPolicy } from './calling-policy.ts'

/** Everything that the gates look at, as it is now. `pk`: partition key of the lead's phone in the owner's DNC group. */
export const gatherFacts = async (lead: Lead, owner: User, pk: string): Promise<Facts> => {
  const [phone, lines, policy, leadType] = await Promise.all([
    getPhone(pk),
    getLines(owner.id),
    callingPolicy(owner),
    lead.lead_type === null ? undefined : getLeadType(owner.id, lead.lead_type),
  ])
  const [agent, breaker, isLitigator] = await Promise.all([
    leadType && getAgent(leadType.agent),
    leadType ? getBreaker(leadType.agent) : TRUSTED,
    isListedLitigator(lead.phone_number),
  ])
  return {
    now: now(),
    lead,
    owner,
    leadType,
    phone,
    phoneHash: parsePhonePk(pk).hash,
    isLitigator,
    lines,
    hasAgent: agent !== undefined,
    breaker,
    policy,
  }
}
