import { linesKey } from '../platform/keys.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { Lines } from '../stops/compliance.ts'

export const getLines = async (owner: number): Promise<Lines> =>
  (await getItem(Lines, linesKey(owner))) ?? { calls: new Set(), paused: false, paused_upto: 0 }

/**
 * A write of the dial transaction: takes a line for a lead. It requires that one of `limit` lines is free, and that no pause covers the
 * lead's position.
 */
export const takeLine = (owner: number, call: string, { position, limit }: { position: number; limit: number }): Write => ({
  update: linesKey(owner),
  expression: 'ADD calls :call',
  condition: [
    '(attribute_not_exists(calls) OR size(calls) < :limit)',
    '(attribute_not_exists(paused) OR paused = :no)',
    '(attribute_not_exists(paused_upto) OR paused_upto < :position)',
  ].join(' AND '),
  values: { ':call': new Set([call]), ':limit': limit, ':no': false, ':position': position },
})

/** A write of a transaction: takes a line even beyond the limit. An inbound caller does not wait. */
export const addLine = (owner: number, call: string): Write => ({
  update: linesKey(owner),
  expression: 'ADD calls :call',
  values: { ':call': new Set([call]) },
})

/** Frees the line of a call that is over. Safe to repeat. */
export const releaseLine = async (owner: number, call: string): Promise<void> => {
  await updateItem(linesKey(owner), { UpdateExpression: 'DELETE calls :call', ExpressionAttributeValues: { ':call': new Set([call]) } })
}

/** Pauses all of an owner's leads. From here on no dial intent to them can be committed. */
export const pauseLines = async (owner: number): Promise<void> => {
  await updateItem(linesKey(owner), { UpdateExpression: 'SET paused = :yes', ExpressionAttributeValues: { ':yes': true } })
}

/** As `pauseLines`, for the leads up to a position in the owner's list. It never lowers the position of an earlier pause. */
export const pauseLinesUpTo = async (owner: number, position: number): Promise<void> => {
  await ifConditionHolds(
    updateItem(linesKey(owner), {
      UpdateExpression: 'SET paused_upto = :position',
      ConditionExpression: 'attribute_not_exists(paused_upto) OR paused_upto < :position',
      ExpressionAttributeValues: { ':position': position },
    }),
  )
}

/** A write of a transaction that ends both kinds of pause. */
export const unpauseLines = (owner: number): Write => ({ update: linesKey(owner), expression: 'REMOVE paused, paused_upto' })
