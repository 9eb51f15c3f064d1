import * as v from 'valibot'
import { blockOf, ownerBlock, POSITIONS_PER_BLOCK, parseLeadPk } from '../platform/keys.ts'
import { query } from '../platform/table/table.ts'

const Entry = v.object({ pk: v.string(), position: v.number() })

/** Positions. Across a wider gap, two queries are cheaper than one. */
const MAX_GAP = 50

interface Run {
  readonly from: number
  readonly to: number
}

/** Joins positions, in any order, into few runs. Each run is within one block. */
const runsOf = (positions: readonly number[]): Run[] => {
  const runs: { from: number; to: number }[] = []
  for (const position of positions.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && position - run.to <= MAX_GAP && blockOf(position) === blockOf(run.to)) run.to = position
    else runs.push({ from: position, to: position })
  }
  return runs
}

const entriesOf = async (owner: number, { from, to }: Run): Promise<v.InferOutput<typeof Entry>[]> => {
  const { items } = await query(Entry, {
    IndexName: 'by_owner',
    KeyConditionExpression: 'owner_block = :block AND #position BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#position': 'position' },
    ExpressionAttributeValues: { ':block': ownerBlock(owner, blockOf(from)), ':from': from, ':to': to },
  })
  return items
}

/** Ids of the leads at some of an owner's positions, by position. The index lags behind the table. */
export const leadIdsAt = async (owner: number, positions: readonly number[]): Promise<Map<number, number>> => {
  const wanted = new Set(positions)
  const entries = await Promise.all(runsOf(positions).map((run) => entriesOf(owner, run)))
  return new Map(
    entries
      .flat()
      .filter(({ position }) => wanted.has(position))
      .map(({ pk, position }) => [position, parseLeadPk(pk)]),
  )
}

/**
 * Ids of the leads in one block of an owner's list, starting at `from`, and the first position of the next block. The index lags behind the
 * table.
 */
export const leadIdsFrom = async (
  owner: number,
  from: number,
): Promise<{ readonly ids: readonly number[]; readonly nextBlock: number }> => {
  const nextBlock = (blockOf(from) + 1) * POSITIONS_PER_BLOCK
  const entries = await entriesOf(owner, { from, to: nextBlock - 1 })
  return { ids: entries.map(({ pk }) => parseLeadPk(pk)), nextBlock }
}

/** Whether a block of an owner's list has any lead. The index lags behind the table. */
export const hasLeads = async (owner: number, block: number): Promise<boolean> => {
  const { items } = await query(Entry, {
    IndexName: 'by_owner',
    KeyConditionExpression: 'owner_block = :block',
    ExpressionAttributeValues: { ':block': ownerBlock(owner, block) },
    Limit: 1,
  })
  return items.length > 0
}

/** Ids of all leads at one position. There should be only one. The index lags behind the table. */
export const leadsAtPosition = async (owner: number, position: number): Promise<number[]> =>
  (await entriesOf(owner, { from: position, to: position })).map(({ pk }) => parseLeadPk(pk))
