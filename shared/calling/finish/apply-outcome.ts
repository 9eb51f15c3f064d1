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

/** An inbound call follows the lead's own lead type, and needs the lead for it. */
const leadTypeAfter = async (call: Call) => cadenceTypeOf(call, call.call_direction === 'inbound' ? await getLead(call.lead) : undefined)

/** Applies a call's outcome to its lead. Safe to repeat. @returns the lead as it is now; undefined when it is gone */
export const applyOutcome = async (call: Call): Promise<Lead | undefined> => {
  const [leadType, policy, { attempts }] = await Promise.all([
    leadTypeAfter(call),
    getUser(call.owner).then(callingPolicy),
    getPhone(call.phone_key),
  ])
  // Mark the agent before the lead is held, so that no sweep misses the lead. A trusted agent may hold leads, too.
  if (call.unsent_time !== null) await markHeld(call.agent, now())
  const lead = await changeLead(call.lead, (found) => afterCall({ lead: found, call, leadType, now: now(), policy, attempts }))
  if (lead) await watchPromise(lead)
  return lead
}
