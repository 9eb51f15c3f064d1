import { knownUser } from '../accounts/user-store.ts'
import type { Lead } from '../leads/lead.ts'
import { warningsOf } from '../leads/lead-warnings.ts'
import { getPerson } from '../leads/person-store.ts'
import { othersOf } from '../leads/rules/uniqueness.ts'
import type { Instant } from '../platform/values/values.ts'
import { phonePk } from '../stops/phone-store.ts'
import { representExplanation } from './api/explanation.ts'
import { readGateInputs } from './gate-inputs.ts'
import { callingHours } from './rules/calling-hours.ts'
import { explain } from './rules/dial/explain.ts'

/** Every gate's verdict on a call to the lead at an instant; now by default. A dial gets the same verdicts. */
export const explainLead = async (lead: Lead, at: Instant | undefined) => {
  const owner = await knownUser(lead.owner)
  const facts = await readGateInputs(lead, owner, await phonePk(owner.dnc_group, lead.phone_number))
  const { location } = callingHours(lead, facts.policy)
  const others = othersOf(await getPerson(lead.owner, lead.phone_number), lead.id)
  return representExplanation(lead.id, location, explain(facts, at ?? facts.now), await warningsOf(lead, others))
}
