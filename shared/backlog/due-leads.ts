import * as v from 'valibot'
import { knownLeadTypes } from '../accounts/known-lead-types.ts'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { getBreaker } from '../agents/breaker-store.ts'
import { getWhenDue } from '../leads/lead-store.ts'
import { dueKeys } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import type { Instant } from '../platform/values/values.ts'
import { lastPosition } from '../positions/position-store.ts'
import type { Lines } from '../stops/compliance.ts'
import { dueBetween, type IndexedEntry } from './due.ts'
import { quarantineLead } from './quarantine.ts'

/**
 * An owner's due leads, the earliest first: `from` included, `until` not; at most `limit`. For leads that are due at the same instant, it
 * takes one from each list in turn. The leads of one list alone would load only a quarter of the shards of calls in progress and of changes.
 */
export const dueOf = async (owner: number, from: Instant, until: Instant, limit: number): Promise<IndexedEntry[]> => {
  const lists = await Promise.all(dueKeys(owner).map((key) => dueBetween(key, from, until, limit)))
  return lists
    .flatMap((list) => list.map((entry, place) => ({ entry, place })))
    .toSorted((one, other) => one.entry.instant - other.entry.instant || one.place - other.place)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

const isBlocked = async (owner: number, id: number | null, at: Instant): Promise<boolean> => {
  const leadType = id === null ? undefined : await getLeadType(owner, id)
  if (!leadType) return false
  if (!leadType.active || !(await getAgent(leadType.agent))) return true
  return (await getBreaker(leadType.agent)).open_until > at
}

/**
 * Whether leads of a lead type can be called now. `blocked`: the type is inactive, or its agent missing or paused. `unreadable`: the type or its
 * agent is malformed. The leads of other types must not wait for its repair.
 */
export const typeState = async (owner: number, id: number | null, at: Instant): Promise<'callable' | 'blocked' | 'unreadable'> => {
  try {
    return (await isBlocked(owner, id, at)) ? 'blocked' : 'callable'
  } catch (error) {
    if (!v.isValiError(error)) throw error
    logger.error('The leads of a lead type are not called, because the type or its agent cannot be read.', {
      owner,
      lead_type: id,
      error: loggable(error),
    })
    return 'unreadable'
  }
}

const isTypeBlocked = async (owner: number, id: number | null, at: Instant): Promise<boolean> =>
  (await typeState(owner, id, at)) !== 'callable'

/**
 * Whether any lead of an owner can be called. This needs an active lead type whose agent works, or whose agent's pause ends by `at`. A pause of
 * existing leads must not cover all leads.
 */
export const isAnyCallable = async (owner: number, at: Instant, pausedUpto = 0): Promise<boolean> => {
  if (pausedUpto > 0 && (await lastPosition(owner)) <= pausedUpto) return false
  for (const { id, active } of await knownLeadTypes(owner)) if (active && !(await isTypeBlocked(owner, id, at))) return true
  return false
}

/** An owner whose due leads are looked at. */
interface LineOwner extends Pick<Lines, 'paused_upto'> {
  readonly id: number
}

/** Leads that are really due: those that may be called, as far as known, and those whose lead type is blocked or that are paused. */
interface Sorted {
  readonly ready: readonly IndexedEntry[]
  readonly blocked: readonly IndexedEntry[]
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
  const areBlocked = await Promise.all(types.map((type) => isTypeBlocked(owner, type, at)))
  const blockedTypes = new Set(types.filter((_, index) => areBlocked[index]))
  const isPaused = ({ lead }: IndexedEntry) => (leads.get(lead)?.position ?? 0) <= paused_upto
  const { ready = [], blocked = [] } = Object.groupBy(due, (entry) =>
    blockedTypes.has(typeOf(entry)) || isPaused(entry) ? 'blocked' : 'ready',
  )
  return { ready, blocked }
}

export interface DueLeads extends Sorted {
  /** How many leads the index shows, up to the limit of the read. */
  readonly shown: number
  readonly isMore: boolean
  /** Whether there are more leads, and leads of a lead type that is not blocked may be among them. */
  readonly isMoreCallable: boolean
}

/** The index still shows leads that were called a moment ago. With this many more, mostly each free line gets a lead that can be called. */
const LAGGING = 10

/**
 * The due leads of an owner, the earliest first. Reads more of the list when fewer than `wanted` can be called: some are blocked, and the index
 * still shows some that were called a moment ago.
 */
export const readDueLeads = async (owner: LineOwner, wanted: number, most: number, at: Instant): Promise<DueLeads> => {
  const read = async (limit: number): Promise<DueLeads> => {
    const entries = await dueOf(owner.id, 0, at + 1, limit)
    const isMore = entries.length === limit
    return { ...(await sortOut(owner, entries, at)), shown: entries.length, isMore, isMoreCallable: isMore }
  }
  const few = wanted + LAGGING + Math.ceil(wanted / 4)
  const first = await read(few)
  if (first.ready.length >= wanted || !first.isMore) return first
  return (await isAnyCallable(owner.id, at, owner.paused_upto)) ? read(Math.max(most, 2 * few)) : { ...first, isMoreCallable: false }
}
