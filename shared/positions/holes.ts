import * as v from 'valibot'
import { blockOf, groupOf, holeGroupKey, holesKey, holeTotalsKey, type Key } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem } from '../platform/table/table.ts'
import { committedUnlessRefused, transact, type Write } from '../platform/table/transactions.ts'
import type { Holes } from './rules/pages.ts'

/** Every lost position of an owner writes the same counts, and the writes race. `pause`: milliseconds. */
const RACES = { tries: 50, pause: 50 } as const

const isCount = ([name, value]: [string, unknown]): boolean => /^\d+$/.test(name) && Number(value) > 0

/** An item that counts holes. Its attribute names are the numbers of the groups or blocks. */
export const HoleCounts = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform(
    (item) =>
      new Map(
        Object.entries(item)
          .filter(isCount)
          .map(([index, count]) => [Number(index), Number(count)]),
      ),
  ),
)

const HolePositions = v.object({ holes: v.optional(v.set(v.number()), new Set<number>()) })

const countOneMore = (index: number) => ({
  expression: 'ADD #index :one',
  names: { '#index': `${index}` },
  values: { ':one': 1 },
})

/** Transaction writes that add a hole to its block and to the counts above. The first is refused when the hole is already there. */
export const holeWrites = (owner: number, position: number): Write[] => {
  const block = blockOf(position)
  const group = groupOf(block)
  return [
    {
      update: holesKey(owner, block),
      expression: 'ADD holes :hole',
      condition: 'NOT contains(holes, :position)',
      values: { ':hole': new Set([position]), ':position': position },
    },
    { update: holeGroupKey(owner, group), ...countOneMore(block) },
    { update: holeTotalsKey(owner), ...countOneMore(group) },
  ]
}

/**
 * Adds a hole to its block and to the counts above, all or nothing. Idempotent.
 * @throws Error when it lost too many races for the counts
 */
export const addHole = async (owner: number, position: number): Promise<void> => {
  await retryRaces({ ...RACES, lost: `Lost the race for the holes of owner ${owner}` }, async () => {
    const result = await transact(holeWrites(owner, position))
    return result.committed || result.refused.length > 0 || undefined
  })
}

/**
 * Adds holes of one block and their counts, all or nothing. Holes that are already there count once.
 * @throws Error when it lost too many races for the holes
 */
export const addHoles = async (owner: number, block: number, positions: readonly number[]): Promise<void> => {
  const key = holesKey(owner, block)
  const group = groupOf(block)
  await retryRaces({ ...RACES, lost: `Lost the race for the holes of owner ${owner}` }, async () => {
    const { holes } = (await getItem(HolePositions, key)) ?? { holes: new Set<number>() }
    const missing = new Set(positions.filter((position) => !holes.has(position)))
    if (missing.size === 0) return true
    const more = (index: number) => ({ ...countOneMore(index), values: { ':one': missing.size } })
    const { committed } = await transact([
      {
        update: key,
        expression: 'ADD holes :missing',
        condition: holes.size === 0 ? 'attribute_not_exists(holes)' : 'holes = :seen',
        values: { ':missing': missing, ...(holes.size > 0 && { ':seen': holes }) },
      },
      { update: holeGroupKey(owner, group), ...more(block) },
      { update: holeTotalsKey(owner), ...more(group) },
    ])
    return committed || undefined
  })
}

/**
 * Removes a hole whose position has a lead after all, and lowers the counts above.
 * @param whileSo a condition that must hold in the same transaction
 * @returns false when there is no such hole, or when the condition fails
 */
export const removeHole = async (owner: number, position: number, whileSo: Write): Promise<boolean> => {
  const block = blockOf(position)
  const oneLess = (index: number) => ({ ...countOneMore(index), values: { ':one': -1 } })
  return retryRaces({ ...RACES, lost: `Lost the race for the holes of owner ${owner}` }, async () => {
    const result = await transact([
      {
        update: holesKey(owner, block),
        expression: 'DELETE holes :hole',
        condition: 'contains(holes, :position)',
        values: { ':hole': new Set([position]), ':position': position },
      },
      { update: holeGroupKey(owner, groupOf(block)), ...oneLess(block) },
      { update: holeTotalsKey(owner), ...oneLess(groupOf(block)) },
      whileSo,
    ])
    return committedUnlessRefused(result)
  })
}

/**
 * An eventually consistent read costs half. The consistent read follows only when the result does not fit, which happens just after a new
 * hole.
 */
const readCheaply = async <S extends v.GenericSchema>(schema: S, key: Key, fits: (found: v.InferOutput<S> | undefined) => boolean) => {
  const [found] = await batchGet(schema, [key], { consistent: false })
  return fits(found) ? found : getItem(schema, key)
}

const total = (counts: ReadonlyMap<number, number> | undefined): number =>
  [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0)

/** Reads an owner's holes on demand. `groups` must come from a strongly consistent read. */
export const readHoles = (owner: number, groups: ReadonlyMap<number, number>): Holes => {
  const known = new Map<number, number>()
  return {
    groups,
    blocks: async (group) => {
      const counts = await readCheaply(HoleCounts, holeGroupKey(owner, group), (found) => total(found) === groups.get(group))
      for (const [block, count] of counts ?? []) known.set(block, count)
      return counts ?? new Map()
    },
    positions: async (block) => {
      const found = await readCheaply(HolePositions, holesKey(owner, block), (item) => (item?.holes.size ?? 0) === (known.get(block) ?? 0))
      return found?.holes ?? new Set()
    },
  }
}

/** The given positions that are holes. Strongly consistent. */
export const holesAmong = async (owner: number, positions: readonly number[]): Promise<Set<number>> => {
  const keys = [...new Set(positions.map(blockOf))].map((block) => holesKey(owner, block))
  const holes = new Set((await batchGet(HolePositions, keys, { consistent: true })).flatMap((item) => [...item.holes]))
  return new Set(positions.filter((position) => holes.has(position)))
}
