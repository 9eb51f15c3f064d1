import * as v from 'valibot'
import { numberOfHoles } from '#shared/platform/keys.ts'
import { batchGet } from '#shared/platform/table/batches.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { HoleCounts } from '#shared/positions/holes.ts'
import { type DamageKind, numbersIn } from '../kind.ts'
import { groupKeys } from '../list-state.ts'

const Holes = v.object({ sk: v.string(), holes: v.optional(v.set(v.number()), new Set<number>()) })

const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((total, count) => total + count, 0)

const isSame = (one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): boolean =>
  one.size === other.size && [...one].every(([index, count]) => other.get(index) === count)

export const holeCounts: DamageKind = {
  kind: 'hole-counts',
  at: 'OWNER/GROUP',
  about: "The stored counts of holes in an owner's list are wrong. Pages of the list overlap or leave out leads.",
  look: async (where) => {
    const [owner = 0, group = 0] = numbersIn(where, 2, '1/0')
    const keys = groupKeys(owner, group)
    // Read the totals first. A hole that is added meanwhile changes them, and then the repair writes nothing.
    const item = await getItem(v.record(v.string(), v.unknown()), keys.totals)
    const counted = v.parse(HoleCounts, (await getItem(v.record(v.string(), v.unknown()), keys.group)) ?? {})
    const blocks = await batchGet(Holes, keys.blocks, { consistent: true })
    const real = new Map(blocks.filter(({ holes }) => holes.size > 0).map(({ sk, holes }) => [numberOfHoles(sk), holes.size]))
    const total = item?.[group]
    if (isSame(counted, real) && (total ?? 0) === sum(real)) return undefined
    return {
      message: `User ${owner}'s list has ${sum(real)} holes in group ${group}. The stored counts are wrong: ${sum(counted)} by block, ${total ?? 0} in total. Pages overlap or leave out leads.`,
      remedy: 'counting them again',
      repair: async () => {
        const { committed } = await transact([
          { put: { ...keys.group, ...Object.fromEntries([...real].map(([block, count]) => [`${block}`, count])) } },
          {
            update: keys.totals,
            expression: 'SET #group = :sum',
            condition: total === undefined ? 'attribute_not_exists(#group)' : '#group = :seen',
            names: { '#group': `${group}` },
            values: { ':sum': sum(real), ...(total !== undefined && { ':seen': total }) },
          },
        ])
        return committed
      },
    }
  },
}
