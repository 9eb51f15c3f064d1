import type { Lead } from '../lead.ts'

/** One owner's leads, newest first, by position. Ids are assigned in blocks, so a smaller id may be the newer lead. */
export const newestFirst = (leads: Iterable<Lead>): Lead[] => [...leads].sort((a, b) => b.position - a.position)

export const ORDERINGS = ['modified_time', '-modified_time'] as const
/** Order of a list by the leads' last change. A minus means the latest first. */
export type Ordering = (typeof ORDERINGS)[number]

export const byLastChange = (leads: readonly Lead[], ordering: Ordering): Lead[] => {
  const sign = ordering === 'modified_time' ? 1 : -1
  return leads.toSorted((a, b) => sign * (a.modified_time - b.modified_time || a.id - b.id))
}
