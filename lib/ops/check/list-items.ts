import * as v from 'valibot'
import { holeTotalsKey, numberOfHoles, positionsKey } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { HoleCounts } from '#shared/positions/holes.ts'
import { holeCountRecord, unreadableCountsRecord } from './joins/hole-counts.ts'
import { holesRecord, listRecord, unreadableListRecord } from './joins/lists.ts'
import { ListItem, walkedList } from './list-state.ts'
import type { Tag } from './tags.ts'

type TaggedRecord = readonly [tag: Tag, record: string]

const countsIn = (owner: number, of: 'counted' | 'total', item: Item): TaggedRecord[] =>
  [...v.parse(HoleCounts, item)].map(([index, count]) => ['holeCount', holeCountRecord({ owner, of, index, count })] as const)

/** The records of an item in the partition of an owner's list. @throws ValiError when it is malformed */
export const listItemRecords = (owner: number, item: Item): readonly TaggedRecord[] => {
  const read = v.parse(ListItem, item)
  const { sk, holes } = read
  if (sk === positionsKey(owner).sk) return [['list', listRecord(owner, walkedList(read))]]
  if (sk === holeTotalsKey(owner).sk) return countsIn(owner, 'total', item)
  if (sk.startsWith('HOLEGROUP#')) return countsIn(owner, 'counted', item)
  if (!sk.startsWith('HOLES#') || holes.size === 0) return []
  const block = numberOfHoles(sk)
  return [
    ['list', holesRecord(owner, block, holes)],
    ['holeCount', holeCountRecord({ owner, of: 'block', index: block, count: holes.size })],
  ]
}

export const unreadableListRecords = (owner: number): readonly TaggedRecord[] => [
  ['list', unreadableListRecord(owner)],
  ['holeCount', unreadableCountsRecord(owner)],
]
