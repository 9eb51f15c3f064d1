import * as v from 'valibot'
import { Call } from '../schema/call.ts'
import { callKey, dueAt, type Key, parseCallId, watchKey } from './keys.ts'
import { compact, getItem, onCondition, updateItem, type Write } from './table.ts'

/** Milliseconds after the intent from which the sweep looks at a call that is not settled. */
const WATCH_AFTER = 10_000

/** A write of the dial transaction: the intent, watched until the call is settled. Never over an earlier one. */
export const insertCall = (call: Call): Write => ({
  put: {
    ...callKey(call.lead, call.attempt),
    ...compact(call),
    due_key: watchKey(call.lead),
    due_at: dueAt(call.intent_time + WATCH_AFTER, call.attempt, call.owner),
  },
  condition: 'attribute_not_exists(pk)',
})

const keyOf = (callId: string): Key | undefined => {
  const parts = parseCallId(callId)
  return parts && callKey(parts.lead, parts.attempt)
}

/** Undefined when the id is none of a call. */
export const getCall = async (callId: string): Promise<Call | undefined> => {
  const key = keyOf(callId)
  return key && getItem(Call, key)
}

/** Attributes of a call that are told once: a repeat, or a later contradiction, changes nothing. */
export type Milestones = Partial<Omit<Call, 'call_id' | 'lead' | 'owner' | 'attempt' | 'settled_time'>>

const onceExpression = (milestones: Milestones) => {
  const told = Object.entries(milestones).filter(([, value]) => value !== null && value !== undefined)
  return {
    UpdateExpression: `SET ${told.map((_, index) => `#a${index} = if_not_exists(#a${index}, :v${index})`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(told.map(([name], index) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(told.map(([, value], index) => [`:v${index}`, value])),
  }
}

/**
 * Writes what is told for the first time, in any order.
 * @param unless milestones any of which makes the news void
 * @returns the call as it is now; undefined when there is none, or the news is void
 */
export const tellCall = async (
  callId: string,
  milestones: Milestones,
  unless: readonly (keyof Milestones)[] = [],
): Promise<Call | undefined> => {
  const key = keyOf(callId)
  if (!key) return undefined
  const condition = ['attribute_exists(pk)', ...unless.map((name) => `attribute_not_exists(${name})`)].join(' AND ')
  const told = await onCondition(
    updateItem(key, { ...onceExpression(milestones), ConditionExpression: condition, ReturnValues: 'ALL_NEW' }),
  )
  return told.held ? v.parse(Call, told.result) : undefined
}

/** Ends the watch over a call: everything that follows from it has been done. Safe to repeat. */
export const settleCall = async (call: Call, at: number): Promise<void> => {
  await updateItem(callKey(call.lead, call.attempt), {
    UpdateExpression: 'SET settled_time = if_not_exists(settled_time, :at) REMOVE due_key, due_at',
    ExpressionAttributeValues: { ':at': at },
  })
}
