import type { Lead } from '../lead.ts'

/** Leads of one owner in the order of its list. Ids say less: they come in blocks, so that a smaller one may be the newer. */
export const newestFirst = (leads: Iterable<Lead>): Lead[] => [...leads].sort((a, b) => b.position - a.position)
