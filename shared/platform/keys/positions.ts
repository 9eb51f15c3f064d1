import type { Key } from './key.ts'

/** Leads of one owner in one partition of the list index. */
export const POSITIONS_PER_BLOCK = 1000

/** Blocks whose holes are counted in one item: as many as one read unit holds, when each of them has some. */
export const BLOCKS_PER_GROUP = 500

export const positionsKey = (owner: number): Key => ({ pk: `POSITIONS#${owner}`, sk: 'POSITIONS' })
/** What each list request reads of an owner's positions stands under sort keys that begin with this: one read. */
export const POSITIONS_PREFIX = 'POSITIONS'
export const holeTotalsKey = (owner: number): Key => ({ pk: `POSITIONS#${owner}`, sk: 'POSITIONS#HOLES' })
export const holeGroupKey = (owner: number, group: number): Key => ({ pk: `POSITIONS#${owner}`, sk: `HOLEGROUP#${group}` })
export const holesKey = (owner: number, block: number): Key => ({ pk: `POSITIONS#${owner}`, sk: `HOLES#${block}` })

/** The block of a `holesKey`, the group of a `holeGroupKey`. */
export const numberOfHoles = (sk: string): number => Number(sk.split('#')[1])

export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK)
export const groupOf = (block: number): number => Math.floor(block / BLOCKS_PER_GROUP)
export const ownerBlock = (owner: number, block: number): string => `OWNER#${owner}#${block}`
