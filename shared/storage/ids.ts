import * as v from 'valibot'
import { idsKey } from './keys.ts'
import { updateItem } from './table.ts'

/** Ids come in blocks, so that most of them cost nothing; what is left of a block goes with the function's sandbox. */
const BLOCK = 50

const block = { next: 1, end: 1 }
const Sequence = v.object({ next: v.number() })

let lease: Promise<void> | undefined

/** @returns the first of `size` ids in a row. */
const take = async (size: number): Promise<number> => {
  const updated = await updateItem(idsKey, {
    UpdateExpression: 'ADD #next :size',
    ExpressionAttributeNames: { '#next': 'next' },
    ExpressionAttributeValues: { ':size': size },
    ReturnValues: 'UPDATED_NEW',
  })
  return v.parse(Sequence, updated).next - size + 1
}

const leaseBlock = async (): Promise<void> => {
  const next = await take(BLOCK)
  Object.assign(block, { next, end: next + BLOCK })
}

/** A positive integer that nothing else in the service bears or ever bore. */
export const nextId = async (): Promise<number> => {
  while (block.next >= block.end) {
    lease ??= leaseBlock().finally(() => {
      lease = undefined
    })
    await lease
  }
  return block.next++
}

/** @returns the first of `count` ids in a row, each as one of `nextId` */
export const reserveIds = (count: number): Promise<number> => (count === 1 ? nextId() : take(count))
