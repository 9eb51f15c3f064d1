import { Lines } from '../schema/compliance.ts'
import { linesKey } from './keys.ts'
import { getItem, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

export const getLines = async (owner: number): Promise<Lines> =>
  (await getItem(Lines, linesKey(owner))) ?? { calls: new Set(), paused: false }

/** A write of the dial transaction: takes a line while one of `limit` is free and the owner is not paused. */
export const takeLine = (owner: number, call: string, limit: number): Write => ({
  update: linesKey(owner),
  expression: 'ADD calls :call',
  condition: '(attribute_not_exists(calls) OR size(calls) < :limit) AND (attribute_not_exists(paused) OR paused = :no)',
  values: { ':call': new Set([call]), ':limit': limit, ':no': false },
})

/** Frees the line of a call that is over. Safe to repeat. */
export const releaseLine = async (owner: number, call: string): Promise<void> => {
  await updateItem(linesKey(owner), { UpdateExpression: 'DELETE calls :call', ExpressionAttributeValues: { ':call': new Set([call]) } })
}
