import * as v from 'valibot'
import { BLOCKS_PER_GROUP, blockOf, holeGroupKey, holesKey, holeTotalsKey, numberOfHoles, positionsKey } from '#shared/platform/keys.ts'
import { queryAll } from '#shared/platform/table/table.ts'
import { HoleCounts } from '#shared/positions/holes.ts'
import { parseOpen, positionsOf } from '#shared/positions/open-positions.ts'

/** The state of an owner's list, without the leads. */
export interface ListState {
  readonly last: number
  /** Whether the counter item exists. */
  readonly hasCounter: boolean
  /** Positions that were taken and are not settled yet. Readers of the list check them. */
  readonly open: ReadonlySet<number>
  /** Holes by block. */
  readonly holes: ReadonlyMap<number, ReadonlySet<number>>
  /** Stored counts of holes: `totals` by group, `groups` by block within each group. */
  readonly totals: ReadonlyMap<number, number>
  readonly groups: ReadonlyMap<number, ReadonlyMap<number, number>>
}

/** An item in the partition of an owner's list. */
export const ListItem = v.looseObject({
  sk: v.string(),
  last: v.optional(v.number(), 0),
  holes: v.optional(v.set(v.number()), new Set<number>()),
})

/** Whether the position is recorded as a hole. */
export const isHole = ({ holes }: ListState, position: number): boolean => holes.get(blockOf(position))?.has(position) ?? false

/** Strongly consistent per page. Several pages may show several moments. */
export const readListState = async (owner: number): Promise<ListState> => {
  const { pk, sk } = positionsKey(owner)
  const items = await queryAll(ListItem, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  })
  const counter = items.find((item) => item.sk === sk)
  const beginning = (name: string) => items.filter((item) => item.sk.startsWith(`${name}#`))
  return {
    last: counter?.last ?? 0,
    hasCounter: counter !== undefined,
    open: new Set(
      Object.entries(counter ?? {})
        .flatMap(([name, first]) => parseOpen(name, first) ?? [])
        .flatMap(positionsOf),
    ),
    holes: new Map(beginning('HOLES').flatMap(({ sk, holes }) => (holes.size > 0 ? [[numberOfHoles(sk), holes] as const] : []))),
    totals: v.parse(HoleCounts, items.find((item) => item.sk === holeTotalsKey(owner).sk) ?? {}),
    groups: new Map(beginning('HOLEGROUP').map((item) => [numberOfHoles(item.sk), v.parse(HoleCounts, item)])),
  }
}

/** Keys of the items that hold the holes of a group, and their counts. */
export const groupKeys = (owner: number, group: number) => ({
  totals: holeTotalsKey(owner),
  group: holeGroupKey(owner, group),
  blocks: Array.from({ length: BLOCKS_PER_GROUP }, (_, index) => holesKey(owner, group * BLOCKS_PER_GROUP + index)),
})
