import { setTimeout as sleep } from 'node:timers/promises'
import type { Lead } from '../leads/lead.ts'
import { getLeads } from '../leads/lead-store.ts'
import type { TimeRange } from '../leads/rules/lead-filter.ts'
import { logger } from '../platform/logger.ts'
import { leadIdsAt } from './lead-index.ts'
import { readPositionList } from './position-list.ts'
import { createdWithin } from './rules/created-range.ts'
import { countPositions, pagePositions } from './rules/pages.ts'

/** An ordered list of an owner's leads. */
export interface LeadList {
  readonly count: number
  /** Up to `take` leads after the first `skip`. */
  readonly page: (skip: number, take: number) => Promise<Lead[]>
}

/** Milliseconds to wait for the index. Its lag has no bound, and a busy index lags longer than usual. */
const PAUSES = [25, 75, 200, 700, 2000]

/**
 * Ids by position. Every position has a lead. The index may not show it yet, and a walk must not skip it: wait for the index. A position
 * without a lead after all waits is a fault of the list. It is logged as an error for the operator.
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
  if (lost.length > 0) logger.error('The index has no lead for some positions of a list.', { owner, positions: lost })
  return ids
}

/** A lead may be slightly stale, but none is left out: missing leads are read again with strong consistency. */
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
 * All of an owner's leads, newest first. A page is a range of positions, so each page costs the same. Besides its leads, that is about two
 * read units, and two more where there are holes.
 */
export const listLeads = async (owner: number): Promise<LeadList> => {
  const list = await readPositionList(owner)
  return {
    count: countPositions(list),
    page: async (skip, take) => leadsAt(owner, await pagePositions(list, skip, take)),
  }
}

/**
 * An owner's leads that were created in a range, newest first. Finding the range costs about two read units for each doubling of the list.
 */
export const listCreated = async (owner: number, range: TimeRange): Promise<LeadList> => createdWithin(await listLeads(owner), range)
