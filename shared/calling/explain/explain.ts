import { knownUser } from '../../accounts/user-store.ts'
import type { Lead } from '../../leads/lead.ts'
import { warningsOf } from '../../leads/lead-warnings.ts'
import { getPerson } from '../../leads/person-store.ts'
import { othersOf } from '../../leads/rules/uniqueness.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { phonePk } from '../../stops/phone-store.ts'
import { representCallingTimes } from '../api/calling-times.ts'
import { representExplanation } from '../api/explanation.ts'
import { getCalls } from '../call-store.ts'
import { readGateInputs } from '../gate-inputs.ts'
import { callingHours } from '../rules/calling-hours.ts'
import { callsHolding } from '../rules/calls-holding.ts'
import { type Awaited, awaitedCall } from '../rules/dial/awaited.ts'
import { callingTimes } from '../rules/dial/calling-times.ts'
import { explain } from '../rules/dial/explain.ts'
import { disclosuresAt, possiblePlaces } from '../rules/duties/disclosures-at.ts'
import type { GateInputs } from '../rules/verdict.ts'

/** The calls that the lead or its phone waits for. Calls of other users stay unnamed (P7). */
export const awaitedOf = async ({ lead, phone, now }: GateInputs): Promise<readonly Awaited[]> => {
  const ids = new Set([...callsHolding(phone), ...(lead.current_call === null ? [] : [lead.current_call])])
  const calls = [...(await getCalls([...ids])).values()]
  return calls.filter(({ owner }) => owner === lead.owner).map((call) => awaitedCall(call, now))
}

/** The gates' inputs, with the calls that an explanation names. */
const readInputs = async (lead: Lead): Promise<GateInputs> => {
  const owner = await knownUser(lead.owner)
  const read = await readGateInputs(lead, owner, await phonePk(owner.dnc_group, lead.phone_number))
  return { ...read, awaited: await awaitedOf(read) }
}

/** The gate `window` says the same as these warnings. */
const SAID_BY_WINDOW: readonly string[] = ['no_state', 'timezone_outside_state']

/**
 * Every gate's verdict on a call to the lead at an instant; now by default. A dial gets the same verdicts.
 * @param isSaid whether to tell what the agent must say
 */
export const explainLead = async (lead: Lead, at: Instant | undefined, isSaid = false) => {
  const inputs = await readInputs(lead)
  const { location } = callingHours(lead, inputs.policy)
  const others = othersOf(await getPerson(lead.owner, lead.phone_number), lead.id)
  const explanation = explain(inputs, at ?? inputs.now)
  const disclosures = isSaid ? disclosuresAt(possiblePlaces(lead, inputs.policy), explanation.at) : undefined
  const warnings = (await warningsOf(lead, others)).filter(({ code }) => !SAID_BY_WINDOW.includes(code))
  return representExplanation(lead.id, location, explanation, disclosures, warnings)
}

/** The times of the coming days in which a call to the lead may start. */
export const explainCallingTimes = async (lead: Lead, days: number) => {
  const inputs = await readInputs(lead)
  const { location } = callingHours(lead, inputs.policy)
  const period = { from: inputs.now, until: inputs.now + days * DAY }
  return representCallingTimes(lead.id, location.timezones, period, callingTimes(inputs, period.from, period.until))
}
