import { setTimeout as sleep } from 'node:timers/promises'
import { countPositions, pagePositions } from '../domain/leads/pages.ts'
import type { Lead } from '../schema/lead.ts'
import { leadIdsAt } from './lead-index.ts'
import { getLeads } from './leads.ts'
import { PAUSES, readPositionList } from './position-list.ts'

/** Some of an owner's leads in an order of their own. */
export interface LeadList {
  readonly count: number
  /** Up to `take` leads after the first `skip`. */
  readonly page: (skip: number, take: number) => Promise<Lead[]>
}

/** Ids by position; the index is given a moment for leads that it does not show yet. */
const findIds = async (owner: number, positions: readonly number[]): Promise<Map<number, number>> => {
  let ids = await leadIdsAt(owner, positions)
  for (const pause of PAUSES) {
    const missing = positions.filter((position) => !ids.has(position))
    if (missing.length === 0) break
    await sleep(pause)
    ids = new Map([...ids, ...(await leadIdsAt(owner, missing))])
  }
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
