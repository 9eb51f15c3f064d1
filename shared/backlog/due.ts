import * as v from 'valibot'
import { dueFrom, leadKey, parseDueAt, parseLeadPk } from '../platform/keys.ts'
import { query } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'

const IndexEntry = v.object({ pk: v.string(), sk: v.string(), due_at: v.string() })

/** An entry of the due index. It says this much about a lead or a call without a read of the item. */
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

const indexedEntry = ({ pk, sk, due_at }: Entry): IndexedEntry => ({ lead: parseLeadPk(pk), sk, ...parseDueAt(due_at) })

/** Leads, calls or timers of one partition of the due index, the earliest first: `from` included, `until` not; at most `limit`. */
export const dueBetween = async (key: string, from: Instant, until: Instant, limit: number): Promise<IndexedEntry[]> =>
  (await dueEntries(key, from, until, limit)).map(indexedEntry)

/** Most entries of each of the two stretches of `overduePages`. */
const STRETCH = 6_000

/**
 * Overdue entries of one partition, in pages: the oldest and, if there are more, a stretch that begins at a random instant. So a run reads a
 * limited number, and none is hidden for ever behind the others. `until` is not included.
 */
export async function* overduePages(key: string, until: Instant, most = STRETCH): AsyncGenerator<Entry[]> {
  let count = 0
  let last: Entry | undefined
  for await (const page of duePages(key, 0, until, most)) {
    yield page
    count += page.length
    last = page.at(-1) ?? last
  }
  if (!last || count < most) return
  const from = parseDueAt(last.due_at).instant + 1
  yield* duePages(key, from + Math.floor(Math.random() * (until - from)), until, most)
}

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
