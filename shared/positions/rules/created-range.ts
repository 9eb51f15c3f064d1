import type { Lead } from '../../leads/lead.ts'
import { isWithin, type TimeRange } from '../../leads/rules/lead-filter.ts'
import { SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'

/**
 * Milliseconds. A lead is created after its position is taken, so leads that are created at the same time may change places. Leads whose
 * times differ by more than this have the order of their times.
 */
const DISORDER = 5 * SECOND

/** Leads that are read together at an edge. The next read there takes twice as many, up to the most. */
const CHUNK = 8
const MOST_IN_CHUNK = 512
/** The most leads that are looked at on one side of an edge. Further ones are taken to be in order. */
const MOST_LOOKED_AT = 5000
/** Leads that must be older, all beyond doubt. One alone may be a repaired lead at the end of the list. */
const OLDER = 2

type Creation = Pick<Lead, 'id' | 'position' | 'created_time'>

interface Listed<L extends Creation> {
  readonly count: number
  /** The newest lead first. */
  readonly page: (skip: number, take: number) => Promise<L[]>
}

/** All leads of the list from one place to another (not included), where leads before and after an instant are mixed. */
interface Edge<L> {
  readonly from: number
  readonly to: number
  readonly leads: readonly L[]
}

/** A place in the list after which leads are older than `instant`, found between `low` and `high` to within a chunk. */
const search = async <L extends Creation>(list: Listed<L>, instant: Instant, low: number, high: number): Promise<[number, number]> => {
  if (high - low <= CHUNK) return [low, high]
  const middle = Math.floor((low + high) / 2)
  // A fault of the list may leave a position without a lead.
  const lead = (await list.page(middle, 1))[0] ?? (await list.page(middle, CHUNK))[0]
  return lead && lead.created_time >= instant ? search(list, instant, middle + 1, high) : search(list, instant, low, middle)
}

const chunkAfter = (size: number): number => Math.min(2 * size, MOST_IN_CHUNK)

/** Reads towards newer leads, until one is newer beyond doubt. */
const lookAtNewer = async <L extends Creation>(list: Listed<L>, instant: Instant, before: number): Promise<Edge<L>> => {
  const leads: L[] = []
  let from = before
  for (let size = CHUNK; from > 0 && before - from < MOST_LOOKED_AT; size = chunkAfter(size)) {
    const next = Math.max(0, from - size)
    const read = await list.page(next, from - next)
    leads.unshift(...read)
    from = next
    if (read.some(({ created_time }) => created_time >= instant + DISORDER)) break
  }
  return { from, to: before, leads }
}

/** Whether the last of some leads is newer beyond doubt. */
const endsNewer = (leads: readonly Creation[], instant: Instant): boolean => (leads.at(-1)?.created_time ?? 0) >= instant + DISORDER

/** Reads towards older leads, `first` of them first, until some are older beyond doubt. */
const lookAtOlder = async <L extends Creation>(list: Listed<L>, instant: Instant, from: number, first: number): Promise<Edge<L>> => {
  const leads: L[] = []
  let to = from
  for (let size = first; to < list.count && to - from < MOST_LOOKED_AT; size = chunkAfter(size)) {
    const read = await list.page(to, Math.min(size, list.count - to))
    leads.push(...read)
    to = Math.min(to + size, list.count)
    const older = read.filter(({ created_time }) => created_time < instant - DISORDER)
    if (older.length >= OLDER || endsNewer(read, instant)) break
  }
  return { from, to, leads }
}

/** Where leads created at `instant` or later end. */
const edgeAt = async <L extends Creation>(list: Listed<L>, instant: Instant, least = 0): Promise<Edge<L>> => {
  const [low, high] = await search(list, instant, least, list.count)
  const older = await lookAtOlder(list, instant, low, high - low + CHUNK)
  // The search met a repaired lead, which is older than its neighbours.
  if (older.to < list.count && endsNewer(older.leads, instant)) return edgeAt(list, instant, older.to)
  const newer = await lookAtNewer(list, instant, low)
  return { from: newer.from, to: older.to, leads: [...newer.leads, ...older.leads] }
}

const uniqueByPosition = <L extends Creation>(leads: readonly L[]): L[] =>
  [...new Map(leads.map((lead) => [lead.id, lead])).values()].sort((a, b) => b.position - a.position)

/**
 * The leads of a list that were created in a range, the newest first, with exact pages and an exact count. Leads are listed in the order of
 * their creation, so a search finds both edges of the range. A lead that a repair moved to the end of the list is left out.
 */
export const createdWithin = async <L extends Creation>(list: Listed<L>, range: TimeRange): Promise<Listed<L>> => {
  const { after, before } = range
  const [newest, oldest] = await Promise.all([
    before === undefined ? { from: 0, to: 0, leads: [] } : edgeAt(list, before + 1),
    after === undefined ? { from: list.count, to: list.count, leads: [] } : edgeAt(list, after),
  ])
  const fitting = (leads: readonly L[]): L[] => leads.filter(({ created_time }) => isWithin(range, created_time))
  if (newest.to >= oldest.from) {
    const all = fitting(uniqueByPosition([...newest.leads, ...oldest.leads]))
    return { count: all.length, page: async (skip, take) => all.slice(skip, skip + take) }
  }
  const [first, last] = [fitting(newest.leads), fitting(oldest.leads)]
  const between = oldest.from - newest.to
  return {
    count: first.length + between + last.length,
    page: async (skip, take) => {
      const [start, end] = [Math.max(0, skip - first.length), Math.min(between, skip + take - first.length)]
      const middle = start < end ? await list.page(newest.to + start, end - start) : []
      const rest = skip - first.length - between
      return [...first.slice(skip, skip + take), ...fitting(middle), ...last.slice(Math.max(0, rest), Math.max(0, rest + take))]
    },
  }
}
