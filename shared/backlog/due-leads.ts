import { knownLeadTypes } from '../accounts/known-lead-types.ts'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { getBreaker } from '../agents/breaker-store.ts'
import { getWhenDue } from '../leads/lead-store.ts'
import { dueKeys } from '../platform/keys.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { dueBetween, type IndexedEntry } from './due.ts'
import { quarantineLead } from './quarantine.ts'

/**
 * An owner's due leads, the earliest first: `from` included, `until` not; at most `limit`. For leads that are due at the same instant, it
 * takes one from each list in turn. One list alone would load only a quarter of the shards of calls in progress and of changes.
 */
export const dueOf = async (owner: number, from: Instant, until: Instant, limit: number): Promise<IndexedEntry[]> => {
  const lists = await Promise.all(dueKeys(owner).map((key) => dueBetween(key, from, until, limit)))
  return lists
    .flatMap((list) => list.map((entry, place) => ({ entry, place })))
    .toSorted((one, other) => one.entry.instant - other.entry.instant || one.place - other.place)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** Whether no lead of a lead type can be called now: the type is inactive, or its agent missing or paused. */
const isHeldUp = async (owner: number, id: number | null, at: Instant): Promise<boolean> => {
  const leadType = id === null ? undefined : await getLeadType(owner, id)
  if (!leadType) return false
  if (!leadType.active || !(await getAgent(leadType.agent))) return true
  return (await getBreaker(leadType.agent)).open_until > at
}

/** Whether the leads of any lead type of an owner can be called now. */
export const isAnyCallable = async (owner: number, at: Instant): Promise<boolean> => {
  const types = await knownLeadTypes(owner)
  return (await Promise.all(types.map(({ id }) => isHeldUp(owner, id, at)))).includes(false)
}

/** An owner whose due leads are looked at. */
interface LineOwner extends Pick<Lines, 'paused_upto'> {
  readonly id: number
}

/** Leads that are really due: those that may be called, as far as known, and those that are held up. */
interface Sorted {
  readonly ready: readonly IndexedEntry[]
  readonly heldUp: readonly IndexedEntry[]
}

const sortOut = async ({ id: owner, paused_upto }: LineOwner, entries: readonly IndexedEntry[], at: Instant): Promise<Sorted> => {
  const { leads, unreadable } = await getWhenDue(entries.map(({ lead }) => lead))
  for (const id of unreadable) await quarantineLead(id, 'It cannot be read.')
  const due = entries.filter(({ lead, attempt, instant }) => {
    const found = leads.get(lead)
    return found?.due_list === 'CALL' && found.attempts + 1 === attempt && found.next_call_time === instant
  })
  const typeOf = ({ lead }: IndexedEntry) => leads.get(lead)?.lead_type ?? null
  const types = [...new Set(due.map(typeOf))]
  const areHeldUp = await Promise.all(types.map((type) => isHeldUp(owner, type, at)))
  const heldUpTypes = new Set(types.filter((_, index) => areHeldUp[index]))
  const isPaused = ({ lead }: IndexedEntry) => (leads.get(lead)?.position ?? 0) <= paused_upto
  const { ready = [], heldUp = [] } = Object.groupBy(due, (entry) =>
    heldUpTypes.has(typeOf(entry)) || isPaused(entry) ? 'heldUp' : 'ready',
  )
  return { ready, heldUp }
}

export interface Look extends Sorted {
  /** How many leads the index shows, up to the limit of the read. */
  readonly shown: number
  readonly isMore: boolean
}

/** The index still shows leads that were called a moment ago. Reading more mostly leaves no free line without a lead. */
const LAGGING = 10

/**
 * Reads the leads that have been due for longest. It reads further when too few of them can be called: the others are held up, or were called
 * already, and the index is late.
 */
export const look = async (owner: LineOwner, wanted: number, most: number, at: Instant): Promise<Look> => {
  const read = async (limit: number): Promise<Look> => {
    const entries = await dueOf(owner.id, 0, at + 1, limit)
    return { ...(await sortOut(owner, entries, at)), shown: entries.length, isMore: entries.length === limit }
  }
  const few = wanted + LAGGING + Math.ceil(wanted / 4)
  const first = await read(few)
  if (first.ready.length >= wanted || !first.isMore) return first
  return (await isAnyCallable(owner.id, at)) ? read(Math.max(most, 2 * few)) : first
}
