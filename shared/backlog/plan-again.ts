import * as v from 'valibot'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { getUser } from '../accounts/user-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import { phoneInputs } from '../calling/gate-inputs.ts'
import { getLines } from '../calling/line-store.ts'
import { callAfterHold } from '../calling/rules/hold.ts'
import type { Lead } from '../leads/lead.ts'
import { getLead, saveLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { phoneKey } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { MINUTE } from '../platform/values/durations.ts'
import { NEW_PHONE } from '../stops/compliance.ts'
import { isListedLitigator } from '../stops/litigator-store.ts'
import { phoneHash } from '../stops/phone-hash.ts'
import { getPhone } from '../stops/phone-store.ts'
import { addMark } from './marks.ts'
import { readOrQuarantine } from './quarantine.ts'
import { isPause, isPaused, leadHolder } from './rules/holders.ts'

const MAX_TRIES = 20

/**
 * A held lead as the present settings plan it: still held, held by another setting, or with a next call. As each new plan, it looks only at
 * the present place of the lead.
 * @param isDown whether the agent that holds it is down
 */
export const plannedAgain = async (found: Lead, isDown = false): Promise<Lead> => {
  const lead = { ...found, former_place: null }
  const [owner, leadType, isLitigator, hash] = await Promise.all([
    getUser(lead.owner),
    lead.lead_type === null ? undefined : getLeadType(lead.owner, lead.lead_type),
    isListedLitigator(lead.phone_number),
    phoneHash(lead.phone_number),
  ])
  const [policy, agent] = await Promise.all([callingPolicy(owner), leadType && getAgent(leadType.agent)])
  // The phone is read before the consent: see the gate of the consent.
  const phone = owner ? await getPhone(phoneKey(owner.dnc_group, hash).pk) : NEW_PHONE
  const ofPhone = await phoneInputs({ lead, leadType, policy, now: now() }, hash)
  const paused = isPause(lead.held_by ?? '') && isPaused({ lead, lines: await getLines(lead.owner) })
  const hasAgent = agent !== undefined
  const known = { ...ofPhone, lead, phone, leadType, isLitigator, phoneHash: hash, policy }
  const inputs = { ...known, hasAgent, isPaused: paused, isAgentDown: isDown && leadType?.agent === lead.held_by, now: now() }
  return { ...found, ...callAfterHold(inputs), version: lead.version + 1, cause: 'schedule' }
}

/**
 * Plans a held lead again. A lead that gets another holder is planned again under it: what that holder waits for may have come between the
 * read and the write, and found the lead under the former holder.
 * @param isDown whether the holder is an agent that is down
 * @returns the lead with its new next call; undefined when nothing changes, or when another holder has it
 */
export const planLead = async (id: number, holder: string, isDown = false): Promise<Lead | undefined> => {
  const { planned } = await retryRaces({ tries: MAX_TRIES, lost: `Lead ${id} changed while it was being planned again,` }, async () => {
    const lead = await readOrQuarantine(id, () => getLead(id))
    if (lead?.due_list !== 'HELD' || lead.held_by !== holder) return {}
    const next = await plannedAgain(lead, isDown)
    if (next.due_list === 'HELD' && next.held_by === holder) return {}
    return (await saveLead(next)) ? { planned: next } : undefined
  })
  if (planned?.due_list !== 'HELD' || planned.held_by === null) return planned
  return (await planLead(id, planned.held_by)) ?? planned
}

/** A lead that could not be planned is looked at again after this time. */
const AGAIN = 10 * MINUTE

/** Marks a lead for another look, because something that it needs cannot be read, such as its lead type. */
export const markUnreadable = (id: number): Promise<void> => addMark(leadHolder(id), now() + AGAIN)

/**
 * As `planLead`. If something else than the lead cannot be read, such as its lead type, marks the lead for another look. The leads of other
 * lead types must not wait for its repair.
 */
export const planOrMark = async (id: number, holder: string, isDown = false): Promise<Lead | undefined> => {
  try {
    return await planLead(id, holder, isDown)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    logger.error('A held lead cannot be planned, because something that it needs cannot be read.', { lead: id, error: loggable(error) })
    await markUnreadable(id)
    return undefined
  }
}
