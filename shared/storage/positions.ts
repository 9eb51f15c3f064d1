import * as v from 'valibot'
import { blockOf, holesKey, positionsKey } from './keys.ts'
import { updateItem } from './table.ts'

const Positions = v.object({ last: v.number() })

/** The next place in an owner's list. Taken last, when nothing but a race can still refuse the lead. */
export const takePosition = async (owner: number): Promise<number> => {
  const updated = await updateItem(positionsKey(owner), {
    UpdateExpression: 'ADD #last :one',
    ExpressionAttributeNames: { '#last': 'last' },
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'UPDATED_NEW',
  })
  return v.parse(Positions, updated).last
}

/** Notes that nothing stands at a place that was taken, so that counts and pages stay exact. */
export const recordHole = async (owner: number, position: number): Promise<void> => {
  await updateItem(holesKey(owner, blockOf(position)), {
    UpdateExpression: 'ADD holes :hole',
    ExpressionAttributeValues: { ':hole': new Set([position]) },
  })
}
