import { cadenceTypeOf } from '../../accounts/lead-type.ts'
import { getUser } from '../../accounts/user-store.ts'
import { markHeld } from '../../backlog/held-store.ts'
import { watchPromise } from '../../backlog/promises.ts'
import type { Lead } from '../../leads/lead.ts'
import { changeLead, getLead } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import { getPhone } from '../../stops/phone-store.ts'
import type { Call } from '../call.ts'
import { callingPolicy } from '../calling-policy.ts'
import { afterCall } from '../rules/finish/after-call.ts'

/** Only for an inbound call the lead is looked at before. */
const leadTypeAfter = async (call: Call) => cadenceTypeOf(call, call.call_direction === 'inbound' ? await getLead(call.lead) : undefined)

/** Tells a lead what one of its calls has come to. Safe to repeat. @returns the lead as it is now; undefined when it is gone */
export const applyOutcome = async (call: Call): Promise<Lead | undefined> => {
  const [leadType, policy, { attempts }] = await Promise.all([
    leadTypeAfter(call),
    getUser(call.owner).then(callingPolicy),
    getPhone(call.phone_key),
  ])
  // The mark comes before the lead is held, so that no sweep can miss it: also an agent that is still trusted may hold some.
  if (call.unsent_time !== null) await markHeld(call.agent, now())
  const lead = await changeLead(call.lead, (found) => afterCall({ lead: found, call, leadType, now: now(), policy, attempts }))
  if (lead) await watchPromise(lead)
  return lead
}
