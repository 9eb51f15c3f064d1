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
  /** Reads about `most` entries of a partition, in order. */
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

/** The partitions of a list, in groups. In the order of the span, each entry of a group comes before those of the next group. */
export type Groups = (span: Span) => readonly (readonly string[])[]

/** Some partitions of an index, read as one list in order. The index lags behind the table. */
class Merged<E extends Entry> {
  readonly #index: ListIndex<E>
  readonly #span: Span
  readonly #groups: (readonly string[])[]
  readonly #parts: Part<E>[] = []

  constructor(index: ListIndex<E>, groups: Groups, span: Span) {
    this.#index = index
    this.#span = span
    this.#groups = span.from <= span.to ? [...groups(span)] : []
  }

  /** Takes the next group in. @returns false when there is none */
  #open(): boolean {
    const lists = this.#groups.shift()
    this.#parts.push(...(lists ?? []).map((list) => ({ list, found: [], start: undefined, hasMore: true })))
    return lists !== undefined
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
      if (unsure.length > 0) await this.#read(unsure, CHUNK)
      else if (last !== undefined || !this.#open()) return merged
    }
  }

  /** The number of entries, or `most` when there are more. */
  async count(most: number): Promise<number> {
    for (;;) {
      const count = this.#parts.reduce((sum, { found }) => sum + found.length, 0)
      const further = this.#parts.filter(({ hasMore }) => hasMore)
      if (count >= most) return most
      if (further.length > 0) await this.#read(further, Math.max(CHUNK, Math.ceil((most - count) / further.length)))
      else if (!this.#open()) return count
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

interface Asked<E extends Entry> {
  readonly index: ListIndex<E>
  readonly groups: Groups
  readonly span: Span
  /** Entries of a page. */
  readonly size: number
}

/** A page among the counted entries, by its number from 1 on. A page after them is empty. */
const pageByNumber = async <E extends Entry>({ index, groups, span, size }: Asked<E>, page: number | 'last'): Promise<Window<E>> => {
  const merged = new Merged(index, groups, span)
  const count = await merged.count(MOST_COUNTED)
  const skip = (page === 'last' ? Math.max(0, Math.ceil(count / size) - 1) : page - 1) * size
  // One entry more than the page needs tells whether there is another page.
  const found = skip < count ? (await merged.first(skip + size + 1)).slice(skip) : []
  const entries = found.slice(0, size)
  return {
    entries,
    count,
    next: found.length > size ? neighbour('next', entries.at(-1), count) : undefined,
    previous: skip > 0 ? neighbour('previous', skip > size ? entries[0] : undefined, count) : undefined,
  }
}

/**
 * A page of a list. Its cost depends on the page and on the number of partitions, but not on the number of entries.
 * @param place where the page begins, or its number. Default: the first page.
 */
export const pageOfLists = async <E extends Entry>(asked: Asked<E>, place: Cursor | number | 'last' = 1): Promise<Window<E>> => {
  if (typeof place !== 'object') return pageByNumber(asked, place)
  const { index, groups, span, size } = asked
  const { direction, at, count } = place
  const isBack = direction === 'previous'
  const rest = index.behind(isBack ? { ...span, isAscending: !span.isAscending } : span, at)
  const found = await new Merged(index, groups, rest).first(size + 1)
  const hasMore = found.length > size
  const entries = isBack ? found.slice(0, size).reverse() : found.slice(0, size)
  return {
    entries,
    count,
    next: isBack || hasMore ? neighbour('next', entries.at(-1), count) : undefined,
    previous: !isBack || hasMore ? neighbour('previous', entries[0], count) : undefined,
  }
}
