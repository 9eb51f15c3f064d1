import { knownUser } from '../accounts/user-store.ts'
import type { Lead } from '../leads/lead.ts'
import { warningsOf } from '../leads/lead-warnings.ts'
import { getPerson } from '../leads/person-store.ts'
import { othersOf } from '../leads/rules/uniqueness.ts'
import type { Instant } from '../platform/values/values.ts'
import { phonePk } from '../stops/phone-store.ts'
import { representExplanation } from './api/explanation.ts'
import { getCalls } from './call-store.ts'
import { readGateInputs } from './gate-inputs.ts'
import { callingHours } from './rules/calling-hours.ts'
import { callsHolding } from './rules/calls-holding.ts'
import { type Awaited, awaitedCall } from './rules/dial/awaited.ts'
import { explain } from './rules/dial/explain.ts'
import type { GateInputs } from './rules/verdict.ts'

/** The calls that the lead or its phone waits for. Those of other users stay unnamed (P7). */
const awaitedOf = async ({ lead, phone, now }: GateInputs): Promise<readonly Awaited[]> => {
  const ids = new Set([...callsHolding(phone), ...(lead.current_call === null ? [] : [lead.current_call])])
  const calls = [...(await getCalls([...ids])).values()]
  return calls.filter(({ owner }) => owner === lead.owner).map((call) => awaitedCall(call, now))
}

/** Every gate's verdict on a call to the lead at an instant; now by default. A dial gets the same verdicts. */
export const explainLead = async (lead: Lead, at: Instant | undefined) => {
  const owner = await knownUser(lead.owner)
  const read = await readGateInputs(lead, owner, await phonePk(owner.dnc_group, lead.phone_number))
  const facts = { ...read, awaited: await awaitedOf(read) }
  const { location } = callingHours(lead, facts.policy)
  const others = othersOf(await getPerson(lead.owner, lead.phone_number), lead.id)
  return representExplanation(lead.id, location, explain(facts, at ?? facts.now), await warningsOf(lead, others))
}
