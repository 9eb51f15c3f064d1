import type { Lead } from '../lead.ts'

/** One owner's leads, newest first, by position. Ids are assigned in blocks, so a smaller id may be the newer lead. */
export const newestFirst = (leads: Iterable<Lead>): Lead[] => [...leads].sort((a, b) => b.position - a.position)
