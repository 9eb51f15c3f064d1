import type { Key } from './key.ts'

/** Number of an owner's leads in one partition of the list index. */
export const POSITIONS_PER_BLOCK = 1000

/** Number of blocks whose holes are counted in one item. The item fits one read unit, even if every block has holes. */
export const BLOCKS_PER_GROUP = 500

export const positionsKey = (owner: number): Key => ({ pk: `POSITIONS#${owner}`, sk: 'POSITIONS' })
/** Prefix of the sort keys that each list request needs: one read returns all of them. */
export const POSITIONS_PREFIX = 'POSITIONS'
export const holeTotalsKey = (owner: number): Key => ({ pk: `POSITIONS#${owner}`, sk: 'POSITIONS#HOLES' })
export const holeGroupKey = (owner: number, group: number): Key => ({ pk: `POSITIONS#${owner}`, sk: `HOLEGROUP#${group}` })
export const holesKey = (owner: number, block: number): Key => ({ pk: `POSITIONS#${owner}`, sk: `HOLES#${block}` })

/** The block of a `holesKey`, or the group of a `holeGroupKey`. */
export const numberOfHoles = (sk: string): number => Number(sk.split('#')[1])

export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK)
export const groupOf = (block: number): number => Math.floor(block / BLOCKS_PER_GROUP)
export const ownerBlock = (owner: number, block: number): string => `OWNER#${owner}#${block}`
