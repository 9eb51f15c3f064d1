import * as v from 'valibot'
import { BLOCKS_PER_GROUP, holeGroupKey, holesKey, holeTotalsKey, numberOfHoles, positionsKey } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { batchGet } from '#shared/platform/table/batches.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { parseOpen } from '#shared/positions/open-positions.ts'
import type { Range, WalkedList } from './joins/position-walk.ts'

/** An item in the partition of an owner's list. */
export const ListItem = v.looseObject({
  sk: v.string(),
  last: v.optional(v.number(), 0),
  holes: v.optional(v.set(v.number()), new Set<number>()),
})

/** Positions that were taken and are not closed yet. */
const openIn = (item: Item): Range[] =>
  Object.entries(item)
    .flatMap(([name, first]) => parseOpen(name, first) ?? [])
    .map(({ first, count }) => ({ first, last: first + count - 1 }))

/** @param item the counter of an owner's list */
export const walkedList = (item: Item & { readonly last: number }): WalkedList => ({ last: item.last, open: openIn(item) })

export interface ListCounter extends WalkedList {
  /** Whether the counter item exists. */
  readonly exists: boolean
}

/** Strongly consistent. */
export const readListCounter = async (owner: number): Promise<ListCounter> => {
  const item = await getItem(ListItem, positionsKey(owner))
  return item ? { ...walkedList(item), exists: true } : { last: 0, open: [], exists: false }
}

export const isOpen = ({ open }: WalkedList, position: number): boolean =>
  open.some(({ first, last }) => first <= position && position <= last)

/** The blocks that have holes. Strongly consistent. */
export const blocksWithHoles = async (owner: number, blocks: readonly number[]): Promise<Set<number>> => {
  const keys = blocks.map((block) => holesKey(owner, block))
  const items = await batchGet(ListItem, keys, { consistent: true })
  return new Set(items.filter(({ holes }) => holes.size > 0).map(({ sk }) => numberOfHoles(sk)))
}

/** Keys of the items that hold the holes of a group, and their counts. */
export const groupKeys = (owner: number, group: number) => ({
  totals: holeTotalsKey(owner),
  group: holeGroupKey(owner, group),
  blocks: Array.from({ length: BLOCKS_PER_GROUP }, (_, index) => holesKey(owner, group * BLOCKS_PER_GROUP + index)),
})
