import * as v from 'valibot'
import { idsKey } from '../keys.ts'
import { getItem, onCondition, updateItem } from '../table/table.ts'
import { ServiceError } from '../values/errors.ts'

/** Clients store ids as signed 32-bit numbers. */
export const MOST_ID = 2 ** 31 - 1

export const NO_IDS_LEFT = 'The service has no ids left for new items. Its operator has been alerted.'

/** Ids come in blocks, so that most of them cost no write. When the sandbox ends, the rest of its block is lost. */
const BLOCK = 50

const block = { next: 1, end: 1 }
const Sequence = v.object({ next: v.number() })

/** Ids that were taken but not used: nobody has seen them. */
const spare: number[] = []

let lease: Promise<void> | undefined

/** @returns the first of `size` consecutive ids. @throws ServiceError `unavailable` when too few are left */
export const reserveIds = async (size: number): Promise<number> => {
  const taken = await onCondition(
    updateItem(idsKey, {
      UpdateExpression: 'ADD #next :size',
      ConditionExpression: 'attribute_not_exists(#next) OR #next <= :room',
      ExpressionAttributeNames: { '#next': 'next' },
      ExpressionAttributeValues: { ':size': size, ':room': MOST_ID - size },
      ReturnValues: 'UPDATED_NEW',
    }),
  )
  if (taken.isMet) return v.parse(Sequence, taken.result).next - size + 1
  throw new ServiceError('unavailable', NO_IDS_LEFT)
}

const leaseBlock = async (): Promise<void> => {
  const next = await reserveIds(BLOCK)
  Object.assign(block, { next, end: next + BLOCK })
}

/** A positive integer that nothing else in the service has or ever had. @throws ServiceError `unavailable` when none is left */
export const nextId = async (): Promise<number> => {
  const given = spare.pop()
  if (given !== undefined) return given
  while (block.next >= block.end) {
    lease ??= leaseBlock().finally(() => {
      lease = undefined
    })
    await lease
  }
  return block.next++
}

/** Only for an id of `nextId` with which nothing was or will be written. */
export const giveBackId = (id: number): void => void spare.push(id)

/** Number of ids handed out so far, of `MOST_ID`. */
export const idsTaken = async (): Promise<number> => (await getItem(Sequence, idsKey))?.next ?? 0
