import * as v from 'valibot'
import type { TimeRange } from '../leads/rules/lead-filter.ts'
import { changedAt, LAST_CHANGED_ID, parseChangedAt, parseLeadPk } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { query } from '../platform/table/table.ts'

const Entry = v.object({ pk: v.string(), changed_at: v.string() })

/** A lead's entry in the change index. */
export interface Change {
  readonly lead: number
  /** Sort key. */
  readonly at: string
}

/** Entries between two sort keys, both included. */
export interface ChangeSpan {
  readonly from: string
  readonly to: string
  readonly isAscending: boolean
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export const changeSpan = ({ after = EARLIEST, before = LATEST }: TimeRange, isAscending: boolean): ChangeSpan => ({
  from: changedAt(after, 0),
  to: changedAt(before, LAST_CHANGED_ID),
  isAscending,
})

/** The rest of a span behind an entry, without the entry. */
export const behind = (span: ChangeSpan, at: string): ChangeSpan => {
  const { modified, lead } = parseChangedAt(at)
  return span.isAscending ? { ...span, from: changedAt(modified, lead + 1) } : { ...span, to: changedAt(modified, lead - 1) }
}

/** Entries that half a read unit pays for: each has up to 120 bytes. */
const CHUNK = 33

/** Partitions that are read at the same time. */
const LANES = 50

/** A partition, and what was read of it. */
interface Part {
  readonly list: string
  readonly found: Change[]
  start: Record<string, unknown> | undefined
  hasMore: boolean
}

const readOn = async (part: Part, { from, to, isAscending }: ChangeSpan, most: number): Promise<void> => {
  const { items, next } = await query(Entry, {
    IndexName: 'by_change',
    KeyConditionExpression: 'change_list = :list AND changed_at BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':list': part.list, ':from': from, ':to': to },
    ScanIndexForward: isAscending,
    Limit: most,
    ...(part.start && { ExclusiveStartKey: part.start }),
  })
  part.found.push(...items.map(({ pk, changed_at }) => ({ lead: parseLeadPk(pk), at: changed_at })))
  part.start = next
  part.hasMore = next !== undefined
}

/** Some partitions of the change index, read as one list in order. The index lags behind the table. */
export class Changes {
  readonly #span: ChangeSpan
  readonly #parts: readonly Part[]

  constructor(lists: readonly string[], span: ChangeSpan) {
    this.#span = span
    const hasMore = span.from <= span.to
    this.#parts = lists.map((list) => ({ list, found: [], start: undefined, hasMore }))
  }

  #isBefore(one: string, other: string): boolean {
    return this.#span.isAscending ? one < other : one > other
  }

  async #read(parts: readonly Part[], most: number): Promise<void> {
    await inLanes(LANES, parts, (part) => readOn(part, this.#span, most))
  }

  #inOrder(): Change[] {
    return this.#parts.flatMap(({ found }) => found).sort((a, b) => (this.#isBefore(a.at, b.at) ? -1 : 1))
  }

  /** Up to `take` entries. Reads on where a partition may hold one of them. */
  async first(take: number): Promise<Change[]> {
    for (;;) {
      const merged = this.#inOrder().slice(0, take)
      const last = merged[take - 1]?.at
      const unsure = this.#parts.filter(({ hasMore, found }) => {
        const read = found.at(-1)?.at
        return hasMore && (last === undefined || read === undefined || this.#isBefore(read, last))
      })
      if (unsure.length === 0) return merged
      await this.#read(unsure, CHUNK)
    }
  }

  /** The number of entries, or `most` when there are more. */
  async count(most: number): Promise<number> {
    for (;;) {
      const count = this.#parts.reduce((sum, { found }) => sum + found.length, 0)
      const further = this.#parts.filter(({ hasMore }) => hasMore)
      if (count >= most || further.length === 0) return Math.min(count, most)
      await this.#read(further, Math.max(CHUNK, Math.ceil((most - count) / further.length)))
    }
  }
}
