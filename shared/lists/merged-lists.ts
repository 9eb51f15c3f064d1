import { inLanes } from '../platform/lanes.ts'
import type { Cursor, Neighbour } from '../platform/values/cursor.ts'

/** An entry of an index. */
interface Entry {
  /** Sort key. */
  readonly at: string
}

/** Entries between two sort keys, both included. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly isAscending: boolean
}

/** Where the next page of a query begins. */
type Start = Record<string, unknown> | undefined

/** An index of which some partitions are read as one list. */
export interface ListIndex<E extends Entry> {
  /** Reads at most `most` entries of a partition. */
  readonly read: (list: string, span: Span, most: number, start: Start) => Promise<{ readonly found: readonly E[]; readonly next: Start }>
  /** The rest of a span behind an entry, without the entry. */
  readonly behind: (span: Span, at: string) => Span
}

/** Entries that half a read unit pays for: each has up to 120 bytes. */
const CHUNK = 33

/** Partitions that are read at the same time. */
const LANES = 50

/** A partition, and what was read of it. */
interface Part<E> {
  readonly list: string
  readonly found: E[]
  start: Start
  hasMore: boolean
}

/** Some partitions of an index, read as one list in order. The index lags behind the table. */
class Merged<E extends Entry> {
  readonly #index: ListIndex<E>
  readonly #span: Span
  readonly #parts: readonly Part<E>[]

  constructor(index: ListIndex<E>, lists: readonly string[], span: Span) {
    this.#index = index
    this.#span = span
    const hasMore = span.from <= span.to
    this.#parts = lists.map((list) => ({ list, found: [], start: undefined, hasMore }))
  }

  #isBefore(one: string, other: string): boolean {
    return this.#span.isAscending ? one < other : one > other
  }

  async #read(parts: readonly Part<E>[], most: number): Promise<void> {
    await inLanes(LANES, parts, async (part) => {
      const { found, next } = await this.#index.read(part.list, this.#span, most, part.start)
      part.found.push(...found)
      part.start = next
      part.hasMore = next !== undefined
    })
  }

  #inOrder(): E[] {
    return this.#parts.flatMap(({ found }) => found).sort((a, b) => (this.#isBefore(a.at, b.at) ? -1 : 1))
  }

  /** Up to `take` entries. Reads on where a partition may hold one of them. */
  async first(take: number): Promise<E[]> {
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

/** The largest exact count of a list whose pages have no numbers. */
export const MOST_COUNTED = 1000

interface Window<E> {
  readonly entries: readonly E[]
  readonly count: number
  readonly next: Neighbour
  readonly previous: Neighbour
}

const neighbour = (direction: Cursor['direction'], entry: Entry | undefined, count: number): Neighbour =>
  entry ? { direction, at: entry.at, count } : 'first'

/**
 * A page of a list. Its cost depends on the page and on the number of partitions, but not on the number of entries.
 * @param cursor where the page begins. Undefined: the first page.
 */
export const pageOfLists = async <E extends Entry>(
  index: ListIndex<E>,
  lists: readonly string[],
  span: Span,
  size: number,
  cursor: Cursor | undefined,
): Promise<Window<E>> => {
  // One entry more than the page needs tells whether there is another page.
  if (!cursor) {
    const merged = new Merged(index, lists, span)
    const found = await merged.first(size + 1)
    const entries = found.slice(0, size)
    const count = await merged.count(MOST_COUNTED)
    return { entries, count, next: found.length > size ? neighbour('next', entries.at(-1), count) : undefined, previous: undefined }
  }
  const { direction, at, count } = cursor
  const isBack = direction === 'previous'
  const found = await new Merged(index, lists, index.behind(isBack ? { ...span, isAscending: !span.isAscending } : span, at)).first(
    size + 1,
  )
  const hasMore = found.length > size
  const entries = isBack ? found.slice(0, size).reverse() : found.slice(0, size)
  return {
    entries,
    count,
    next: isBack || hasMore ? neighbour('next', entries.at(-1), count) : undefined,
    previous: !isBack || hasMore ? neighbour('previous', entries[0], count) : undefined,
  }
}
