import { setTimeout as sleep } from 'node:timers/promises'
import type { Lead } from '../leads/lead.ts'
import { getLeads } from '../leads/lead-store.ts'
import { logger } from '../platform/logger.ts'
import { leadIdsAt } from './lead-index.ts'
import { readPositionList } from './position-list.ts'
import { countPositions, pagePositions } from './rules/pages.ts'

/** Some of an owner's leads in an order of their own. */
export interface LeadList {
  readonly count: number
  /** Up to `take` leads after the first `skip`. */
  readonly page: (skip: number, take: number) => Promise<Lead[]>
}

/** Milliseconds for which the index is waited for. Its lag has no bound; a busy one needs more than the usual moment. */
const PAUSES = [25, 75, 200, 700, 2000]

/**
 * Ids by position. Each position has its lead: where the index does not show it yet, it is waited for, so that a walk does not
 * leave the lead out. What stays missing is a fault of the list, and said to whoever runs the service.
 */
const findIds = async (owner: number, positions: readonly number[]): Promise<Map<number, number>> => {
  let ids = await leadIdsAt(owner, positions)
  const missing = () => positions.filter((position) => !ids.has(position))
  for (const pause of PAUSES) {
    if (missing().length === 0) return ids
    await sleep(pause)
    ids = new Map([...ids, ...(await leadIdsAt(owner, missing()))])
  }
  const lost = missing()
  if (lost.length > 0) logger.error('Positions of a list have no lead that the index knows.', { owner, positions: lost })
  return ids
}

/** Leads may be shown as they were a moment ago, but none is left out for it. */
const findLeads = async (ids: readonly number[]): Promise<Map<number, Lead>> => {
  const leads = await getLeads(ids, { consistent: false })
  const missing = ids.filter((id) => !leads.has(id))
  return missing.length === 0 ? leads : new Map([...leads, ...(await getLeads(missing, { consistent: true }))])
}

const leadsAt = async (owner: number, positions: readonly number[]): Promise<Lead[]> => {
  const ids = await findIds(owner, positions)
  const leads = await findLeads([...ids.values()])
  return positions.flatMap((position) => leads.get(ids.get(position) ?? 0) ?? []).filter((lead) => lead.owner === owner)
}

/**
 * All of an owner's leads, the newest first. A page is a range of positions, so that each costs the same: beside its leads about
 * two read units, and two more where there are holes.
 */
export const listLeads = async (owner: number): Promise<LeadList> => {
  const list = await readPositionList(owner)
  return {
    count: countPositions(list),
    page: async (skip, take) => leadsAt(owner, await pagePositions(list, skip, take)),
  }
}
