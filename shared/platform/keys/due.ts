import type { DUE_LISTS } from '../../leads/lead.ts'
import type { Instant } from '../values/values.ts'

/** How many partitions of the due index share the leads that will be due, and the calls in progress. */
export const DUE_SHARDS = 4

type DueList = Exclude<(typeof DUE_LISTS)[number], 'HELD'>

/** Partition of the due index in which a lead stands. */
export const dueKey = (list: DueList, owner: number, lead: number): string =>
  list === 'CALL' ? `CALL#${lead % DUE_SHARDS}` : `${list}#${owner}`
export const heldKey = (agent: string): string => `HELD#${agent}`
export const watchKey = (lead: number): string => `WATCH#${lead % DUE_SHARDS}`
export const WAITERS = 'WAITERS'
/** Partition of the due index with the owners whose parked leads are being sent on. */
export const UNPARKING = 'UNPARKING'
/** Partition of the due index with the agents that are not trusted, or were not a moment ago. */
export const BREAKERS = 'BREAKERS'

/** Place in the due index: sorts by instant, and tells what a message needs without a read. */
export const dueAt = (instant: Instant, attempt: number, owner: number): string => `${new Date(instant).toISOString()}#${attempt}#${owner}`
/** The first place in the due index at or after an instant. */
export const dueFrom = (instant: Instant): string => new Date(instant).toISOString()

/** @throws Error when the text is no place in the due index. */
export const parseDueAt = (text: string): { instant: Instant; attempt: number; owner: number } => {
  const [iso = '', attempt, owner] = text.split('#')
  const parsed = { instant: Date.parse(iso), attempt: Number(attempt), owner: Number(owner) }
  if (Object.values(parsed).some(Number.isNaN)) throw new Error(`Not a place in the due index: ${text}`)
  return parsed
}
