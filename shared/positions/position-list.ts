import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { realNow } from '../platform/clock.ts'
import { BLOCKS_PER_GROUP, POSITIONS_PER_BLOCK, POSITIONS_PREFIX, positionsKey } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { query, updateItem } from '../platform/table/table.ts'
import { HOUR, SECOND } from '../platform/values/durations.ts'
import { addHole, HoleCounts, holesAmong, readHoles } from './holes.ts'
import { leadIdsAt } from './lead-index.ts'
import { type OpenPositions, parseOpen, positionsOf } from './open-positions.ts'
import { type PositionList, withoutPositions } from './rules/pages.ts'

const SPANS = { block: POSITIONS_PER_BLOCK, group: POSITIONS_PER_BLOCK * BLOCKS_PER_GROUP }

/** Milliseconds. The index may not show a lead that was acknowledged this recently. */
const YOUNG = 2 * SECOND
/** Milliseconds to wait for the index, or for a lead whose creation is in progress. */
const PAUSES: readonly number[] = [25, 75]
/** Milliseconds. A younger taking is left to its taker to remove. */
const OWN = 10 * SECOND
/**
 * Milliseconds. No function that takes a position runs this long, and no index lags this long: a position that is empty after this time
 * stays empty.
 */
const ABANDONED = HOUR
/** The most holes that one read adds, and the most takings that it removes. */
const TIDIED = 20

const Item = v.looseObject({ sk: v.string() })
const Last = v.object({ last: v.optional(v.number(), 0) })

interface Heads {
  readonly last: number
  readonly open: readonly OpenPositions[]
  readonly groups: ReadonlyMap<number, number>
}

/** Reads the counter, the open takings and the hole totals of an owner in one query. */
const readHeads = async (owner: number): Promise<Heads> => {
  const { pk, sk } = positionsKey(owner)
  const { items } = await query(Item, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': POSITIONS_PREFIX },
    ConsistentRead: true,
  })
  const positions = items.find((item) => item.sk === sk) ?? {}
  const totals = items.find((item) => item.sk !== sk) ?? {}
  return {
    last: v.parse(Last, positions).last,
    open: Object.entries(positions).flatMap(([name, first]) => parseOpen(name, first) ?? []),
    groups: v.parse(HoleCounts, totals),
  }
}

/**
 * Positions that were taken but whose lead the index does not show. Waits a moment when they were taken so recently that their leads may
 * still appear.
 */
const emptyAmong = async (owner: number, open: readonly OpenPositions[]): Promise<number[]> => {
  const unseen = async (positions: readonly number[]): Promise<number[]> => {
    const ids = await leadIdsAt(owner, positions)
    return positions.filter((position) => !ids.has(position))
  }
  let empty = await unseen(open.flatMap(positionsOf))
  for (const pause of PAUSES) {
    const mayCome = open.some((batch) => batch.taken > realNow() - YOUNG && positionsOf(batch).some((at) => empty.includes(at)))
    if (!mayCome) break
    await sleep(pause)
    empty = await unseen(empty)
  }
  return empty
}

const forget = async (owner: number, batches: readonly OpenPositions[]): Promise<void> => {
  if (batches.length === 0) return
  await updateItem(positionsKey(owner), {
    UpdateExpression: `REMOVE ${batches.map((_, index) => `#t${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(batches.map(({ name }, index) => [`#t${index}`, name])),
  })
}

/**
 * Cleans up after takers that crashed. Best effort: errors are only logged, and the next reader tries again.
 * @returns whether there were abandoned positions to record as holes
 */
const tidy = async (owner: number, open: readonly OpenPositions[], empty: ReadonlySet<number>): Promise<boolean> => {
  const left = open.filter(({ taken }) => taken < realNow() - OWN)
  const stillEmpty = (batch: OpenPositions): number[] => positionsOf(batch).filter((position) => empty.has(position))
  const abandoned = left.filter(({ taken }) => taken < realNow() - ABANDONED).flatMap(stillEmpty)
  try {
    for (const position of abandoned.slice(0, TIDIED)) await addHole(owner, position)
    await forget(owner, left.filter((batch) => stillEmpty(batch).length === 0).slice(0, TIDIED))
  } catch (error) {
    logger.warn('Could not record abandoned positions. The next reader will.', { owner, error: loggable(error) })
  }
  return abandoned.length > 0
}

interface Reading {
  readonly list: PositionList
  readonly open: readonly OpenPositions[]
  /** Open positions without a lead. */
  readonly empty: readonly number[]
}

/** How often the heads are read at most, while takers record holes. */
const MAX_READS = 3

const read = async (owner: number, known?: Heads, reads = 1): Promise<Reading> => {
  const { last, open, groups } = known ?? (await readHeads(owner))
  const list = { last, spans: SPANS, holes: readHoles(owner, groups) }
  if (open.length === 0) return { list, open, empty: [] }
  const unseen = await emptyAmong(owner, open)
  const holes = unseen.length > 0 ? await holesAmong(owner, unseen) : new Set()
  if (holes.size > 0 && reads < MAX_READS) {
    // A hole that was recorded after the heads were read is not in their totals: it would count as a lead.
    const heads = await readHeads(owner)
    if (!isDeepStrictEqual(heads.groups, groups)) return read(owner, heads, reads + 1)
  }
  return { list, open, empty: unseen.filter((position) => !holes.has(position)) }
}

/**
 * An owner's current list: every position up to the last has a lead, except the holes. A lead whose creation is in progress counts once it
 * is written. An interrupted creation never counts.
 */
export const readPositionList = async (owner: number): Promise<PositionList> => {
  const reading = await read(owner)
  const hasNewHoles = await tidy(owner, reading.open, new Set(reading.empty))
  const { list, empty } = hasNewHoles ? await read(owner) : reading
  return withoutPositions(list, empty)
}
