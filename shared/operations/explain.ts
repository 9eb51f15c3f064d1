import { callingHours } from '../domain/calling/calling-hours.ts'
import { explain } from '../domain/calling/explain.ts'
import { representExplanation } from '../domain/calling/represent-explanation.ts'
import type { Lead } from '../schema/lead.ts'
import type { Instant } from '../schema/values.ts'
import { phonePk } from '../storage/phones.ts'
import { knownUser } from '../storage/users.ts'
import { gatherFacts } from './facts.ts'

/** What every gate says of a call to the lead at an instant, without one now: the same as it would say to a dial. */
export const explainLead = async (lead: Lead, at: Instant | undefined) => {
  const owner = await knownUser(lead.owner)
  const facts = await gatherFacts(lead, owner, await phonePk(owner.dnc_group, lead.phone_number))
  const { location } = callingHours(lead, facts.policy)
  return representExplanation(lead.id, location, explain(facts, at ?? facts.now))
}
