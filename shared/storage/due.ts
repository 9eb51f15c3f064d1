import * as v from 'valibot'
import type { Instant } from '../schema/values.ts'
import { dueFrom, parseDueAt, parseLeadPk, WAITERS, waitersKey } from './keys.ts'
import { getItem, ifConditionHolds, putItem, query, updateItem } from './table.ts'

const IndexEntry = v.object({ pk: v.string(), sk: v.string(), due_at: v.string() })

/** What the due index tells of a lead or a call, without a read of it. */
export interface DueEntry {
  readonly lead: number
  readonly attempt: number
  readonly owner: number
  readonly instant: Instant
}

const PAGE = 500

const entries = async (key: string, from: Instant, until: Instant, limit: number): Promise<v.InferOutput<typeof IndexEntry>[]> => {
  const found: v.InferOutput<typeof IndexEntry>[] = []
  let start: Record<string, unknown> | undefined
  do {
    const page = await query(IndexEntry, {
      IndexName: 'by_due',
      KeyConditionExpression: 'due_key = :key AND due_at BETWEEN :from AND :until',
      ExpressionAttributeValues: { ':key': key, ':from': dueFrom(from), ':until': dueFrom(until) },
      Limit: Math.min(PAGE, limit - found.length),
      ...(start && { ExclusiveStartKey: start }),
    })
    found.push(...page.items)
    start = page.next
  } while (start && found.length < limit)
  return found
}

/** Leads or calls of one partition of the due index, the earliest first: `from` included, `until` not; at most `limit`. */
export const dueBetween = async (key: string, from: Instant, until: Instant, limit: number): Promise<DueEntry[]> =>
  (await entries(key, from, until, limit)).map(({ pk, due_at }) => ({ lead: parseLeadPk(pk), ...parseDueAt(due_at) }))

/** A mark is renewed well before it may be forgotten: whoever found it young is shown by the index by then. */
const RENEWED_AFTER = 30_000
const FORGOTTEN_AFTER = 60_000

const Mark = v.object({ marked_time: v.number() })

/** Notes that an owner has leads waiting for a line, for the sweep to find. Mostly a read: a young mark is left as it is. */
export const markWaiting = async (owner: number, at: Instant): Promise<void> => {
  const mark = await getItem(Mark, waitersKey(owner))
  if (mark && mark.marked_time > at - RENEWED_AFTER) return
  await putItem({ ...waitersKey(owner), marked_time: at, due_key: WAITERS, due_at: `${dueFrom(at)}#0#${owner}` })
}

/** Forgets the mark of an owner with nobody waiting, unless it is so young that the index may not show who made it. */
export const unmarkWaiting = async (owner: number, at: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(waitersKey(owner), {
      UpdateExpression: 'REMOVE due_key, due_at SET marked_time = :never',
      ConditionExpression: 'marked_time < :old',
      ExpressionAttributeValues: { ':never': 0, ':old': at - FORGOTTEN_AFTER },
    }),
  )
}

/** Owners with leads that wait for a line. */
export const waitingOwners = async (until: Instant, limit: number): Promise<number[]> =>
  (await entries(WAITERS, 0, until, limit)).map(({ due_at }) => parseDueAt(due_at).owner)
