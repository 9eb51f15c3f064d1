import * as v from 'valibot'
import {
  BREAKERS,
  dueAt,
  dueFrom,
  type Key,
  leadKey,
  parkedKey,
  parseAgentPk,
  parseDueAt,
  parseLeadPk,
  UNPARKING,
  WAITERS,
  waitersKey,
} from '../platform/keys.ts'
import { getItem, ifConditionHolds, putItem, query, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { MINUTE, SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'

const IndexEntry = v.object({ pk: v.string(), sk: v.string(), due_at: v.string() })

/** The data of a lead or a call that the due index holds. It needs no read of the item. */
export interface DueEntry {
  readonly lead: number
  readonly attempt: number
  readonly owner: number
  readonly instant: Instant
}

const PAGE = 500

export type Entry = v.InferOutput<typeof IndexEntry>

/**
 * The entries of one partition of the due index, in pages, the earliest first. `from` is included, `until` is not. At most `limit` in
 * all.
 */
export async function* duePages(key: string, from: Instant, until: Instant, limit = Number.MAX_SAFE_INTEGER): AsyncGenerator<Entry[]> {
  let left = limit
  let start: Record<string, unknown> | undefined
  do {
    const page = await query(IndexEntry, {
      IndexName: 'by_due',
      KeyConditionExpression: 'due_key = :key AND due_at BETWEEN :from AND :until',
      ExpressionAttributeValues: { ':key': key, ':from': dueFrom(from), ':until': dueFrom(until) },
      Limit: Math.min(PAGE, left),
      ...(start && { ExclusiveStartKey: start }),
    })
    yield page.items
    left -= page.items.length
    start = page.next
  } while (start && left > 0)
}

/** As `duePages`, all at once. */
export const dueEntries = async (key: string, from: Instant, until: Instant, limit: number): Promise<Entry[]> => {
  const found: Entry[] = []
  for await (const page of duePages(key, from, until, limit)) found.push(...page)
  return found
}

/** An entry of the index, with the sort key of its item. The item is a lead, one of its calls, or a timer. */
export interface IndexedEntry extends DueEntry {
  readonly sk: string
}

/** Leads, calls or timers of one partition of the due index, the earliest first: `from` included, `until` not; at most `limit`. */
export const dueBetween = async (key: string, from: Instant, until: Instant, limit: number): Promise<IndexedEntry[]> =>
  (await dueEntries(key, from, until, limit)).map(({ pk, sk, due_at }) => ({ lead: parseLeadPk(pk), sk, ...parseDueAt(due_at) }))

/** Where a lead stands in a list. */
export interface ListPlace {
  readonly lead: number
  readonly due_at: string
}

/** The leads of a list after a place, at most `limit`. `next`: the place to continue at; null at the end. */
export const dueAfter = async (
  key: string,
  after: ListPlace | null,
  limit: number,
): Promise<{ readonly entries: readonly DueEntry[]; readonly next: ListPlace | null }> => {
  const { items, next } = await query(IndexEntry, {
    IndexName: 'by_due',
    KeyConditionExpression: 'due_key = :key',
    ExpressionAttributeValues: { ':key': key },
    Limit: limit,
    ...(after && { ExclusiveStartKey: { due_key: key, due_at: after.due_at, ...leadKey(after.lead) } }),
  })
  const last = next && items.at(-1)
  return {
    entries: items.map(({ pk, due_at }) => ({ lead: parseLeadPk(pk), ...parseDueAt(due_at) })),
    next: last ? { lead: parseLeadPk(last.pk), due_at: last.due_at } : null,
  }
}

/** Whether a list is empty, the far future included. */
export const isDueListEmpty = async (key: string): Promise<boolean> => (await dueAfter(key, null, 1)).entries.length === 0

/** Agents and settings that the sweep must look at before `until`, and when. */
export const agentsToLookAt = async (until: Instant, limit: number): Promise<{ readonly agent: string; readonly instant: Instant }[]> =>
  (await dueEntries(BREAKERS, 0, until, limit)).map(({ pk, due_at }) => ({ agent: parseAgentPk(pk), instant: parseDueAt(due_at).instant }))

/**
 * A mark makes the sweep look at a list. It is removed only when it is older than this. By then, everybody who acted on the earlier state
 * has written, and the index shows it.
 */
export const FORGOTTEN_AFTER = MINUTE

/** A mark of this age is renewed, well before it may be removed. Leads that relied on a younger mark show in the index by then. */
const RENEWED_AFTER = 30 * SECOND

const Mark = v.object({ marked_time: v.number() })

/** Marks, for the sweep, that an owner has leads waiting for a line. Mostly it only reads: a young mark stays as it is. */
export const markWaiting = async (owner: number, at: Instant): Promise<void> => {
  const mark = await getItem(Mark, waitersKey(owner))
  if (mark && mark.marked_time > at - RENEWED_AFTER) return
  await putItem({ ...waitersKey(owner), marked_time: at, due_key: WAITERS, due_at: dueAt(at, 0, owner) })
}

const unmark = async (key: Key, at: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(key, {
      UpdateExpression: 'REMOVE due_key, due_at SET marked_time = :never',
      ConditionExpression: 'marked_time < :old',
      ExpressionAttributeValues: { ':never': 0, ':old': at - FORGOTTEN_AFTER },
    }),
  )
}

/** Removes the mark of an owner without waiting leads. A mark so young that the index may not show its lead yet stays. */
export const unmarkWaiting = (owner: number, at: Instant): Promise<void> => unmark(waitersKey(owner), at)

/** A write of a transaction: marks, for the sweep, that an owner's parked leads must be released. */
export const markUnparking = (owner: number, at: Instant): Write => ({
  put: { ...parkedKey(owner), marked_time: at, due_key: UNPARKING, due_at: dueAt(at, 0, owner) },
})

/** Takes the turn to release some of an owner's parked leads, after the turn at `last`. @returns false when somebody else has taken it */
export const takeUnparkingTurn = (owner: number, last: Instant, at: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(parkedKey(owner), {
      UpdateExpression: 'SET due_at = :at',
      ConditionExpression: 'due_at = :last',
      ExpressionAttributeValues: { ':at': dueAt(at, 0, owner), ':last': dueAt(last, 0, owner) },
    }),
  )

/** Removes that mark, unless it is so young that the index may not show all parked leads yet. */
export const unmarkUnparking = (owner: number, at: Instant): Promise<void> => unmark(parkedKey(owner), at)

/** Owners whose parked leads must be released, and the instant of their last turn. */
export const unparkingOwners = async (until: Instant, limit: number): Promise<{ readonly owner: number; readonly instant: Instant }[]> =>
  (await dueEntries(UNPARKING, 0, until, limit)).map(({ due_at }) => parseDueAt(due_at))

/** Owners with leads that wait for a line. */
export const waitingOwners = async (until: Instant, limit: number): Promise<number[]> =>
  (await dueEntries(WAITERS, 0, until, limit)).map(({ due_at }) => parseDueAt(due_at).owner)
