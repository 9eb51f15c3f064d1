import { getLeadType } from '../accounts/lead-type-store.ts'
import type { Call } from '../calling/call.ts'
import { keepingFormerPlace } from '../location/rules/former-place.ts'
import { now } from '../platform/clock.ts'
import { logger } from '../platform/logger.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import type { Instant } from '../platform/values/values.ts'
import { getLead } from './lead-store.ts'
import { getPerson } from './person-store.ts'
import { withCollected } from './rules/collect.ts'
import { gateKeys } from './rules/lead-fields.ts'
import { isEmailTaken, withEmail } from './rules/uniqueness.ts'
import { movesPerson } from './rules/update/move.ts'
import { commitLead } from './update-plan.ts'

/** A write races with other writers of the same lead or person. */
const MAX_TRIES = 100

/** @returns true when done; false when another write came first */
const tryCollect = async ({ lead: id, call_id }: Call, collected: Record<string, unknown>, at: Instant): Promise<boolean> => {
  const lead = await getLead(id)
  if (!lead) return true
  const person = Object.hasOwn(collected, 'email') ? await getPerson(lead.owner, lead.phone_number) : undefined
  const isTaken = (email: string): boolean => person !== undefined && isEmailTaken(person, email, lead.id)
  const leadType = lead.lead_type === null ? undefined : await getLeadType(lead.owner, lead.lead_type)
  const guarded = leadType ? gateKeys(leadType) : []
  const { lead: next, isTooLarge } = withCollected(lead, collected, { at, now: now(), isEmailTaken: isTaken, guarded })
  if (isTooLarge) logger.warn('Collected data does not fit into the metadata and is left out.', { call: call_id })
  if (!next) return true
  const after = keepingFormerPlace(lead, { ...next, told_by: call_id, version: lead.version + 1 })
  return commitLead(lead, after, person && movesPerson(lead, after) ? [withEmail(person, id, after.email)] : [])
}

/**
 * Writes the data that a call collected to its lead, and to the items that find the lead by it. The email stays unique. Idempotent, in any
 * order.
 */
export const collect = async (call: Call, collected: Record<string, unknown>, at: Instant): Promise<void> => {
  await retryRaces({ tries: MAX_TRIES, lost: `Lead ${call.lead} changed while collected data was written,` }, async () =>
    (await tryCollect(call, collected, at)) ? true : undefined,
  )
}
