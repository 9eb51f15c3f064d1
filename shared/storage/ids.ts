import * as v from 'valibot'
import { idsKey } from './keys.ts'
import { updateItem } from './table.ts'

/** Ids come in blocks, so that most of them cost nothing; what is left of a block goes with the function's sandbox. */
const BLOCK = 50

const block = { next: 1, end: 1 }
const Sequence = v.object({ next: v.number() })

let lease: Promise<void> | undefined

const leaseBlock = async (): Promise<void> => {
  const updated = await updateItem(idsKey, {
    UpdateExpression: 'ADD #next :size',
    ExpressionAttributeNames: { '#next': 'next' },
    ExpressionAttributeValues: { ':size': BLOCK },
    ReturnValues: 'UPDATED_NEW',
  })
  const { next } = v.parse(Sequence, updated)
  Object.assign(block, { next: next - BLOCK + 1, end: next + 1 })
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
