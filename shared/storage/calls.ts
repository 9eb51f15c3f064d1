import * as v from 'valibot'
import { Call } from '../schema/call.ts'
import type { Instant } from '../schema/values.ts'
import { batchGet } from './batches.ts'
import { compact } from './client.ts'
import { CALL_PREFIX, callKey, dueAt, type Key, leadKey, parseCallId, watchKey } from './keys.ts'
import { getItem, onCondition, queryAll, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

/** Milliseconds after the intent from which the sweep looks at a call that is not settled. */
const WATCH_AFTER = 10_000

/** Kept as JSON text: what agents report may hold numbers and keys that the table cannot. */
const JSON_FIELDS = ['appointment', 'representative', 'external_ids'] as const

const mapJson = (item: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> => {
  const told = JSON_FIELDS.filter((name) => item[name] !== undefined && item[name] !== null)
  return { ...item, ...Object.fromEntries(told.map((name) => [name, map(item[name])])) }
}

/** Attributes of a call as the table keeps them. */
export const storedCall = ({ transfers_told, ...call }: Partial<Call>): Record<string, unknown> => ({
  ...mapJson(compact(call), JSON.stringify),
  ...(transfers_told && { transfers_told: new Set(transfers_told) }),
})

const JsonText = v.pipe(v.string(), v.parseJson())
const StoredItem = v.record(v.string(), v.unknown())
const StoredSet = v.object({ transfers_told: v.optional(v.set(v.string())) })

/** @throws ValiError when the item is no call. */
export const callFromItem = (item: unknown): Call => {
  const { transfers_told } = v.parse(StoredSet, item)
  const stored = mapJson(v.parse(StoredItem, item), (text) => v.parse(JsonText, text))
  return v.parse(Call, { ...stored, transfers_told: transfers_told && [...transfers_told].toSorted() })
}

/** A write of the dial transaction: the intent, watched until the call is settled. Never over an earlier one. */
export const insertCall = (call: Call): Write => ({
  put: {
    ...callKey(call.lead, call.attempt),
    ...storedCall(call),
    due_key: watchKey(call.lead),
    due_at: dueAt(call.intent_time + WATCH_AFTER, call.attempt, call.owner),
  },
  condition: 'attribute_not_exists(pk)',
})

const keyOf = (id: string): Key | undefined => {
  const parts = parseCallId(id)
  return parts && callKey(parts.lead, parts.attempt)
}

/** Undefined when the id is none of a call. */
export const getCall = async (callId: string): Promise<Call | undefined> => {
  const key = keyOf(callId)
  const item = key && (await getItem(StoredItem, key))
  return item && callFromItem(item)
}

/** Those of the ids that are calls, by id. Strongly consistent. */
export const getCalls = async (ids: readonly string[]): Promise<Map<string, Call>> => {
  const items = await batchGet(
    StoredItem,
    ids.flatMap((id) => keyOf(id) ?? []),
    { consistent: true },
  )
  return new Map(items.map(callFromItem).map((call) => [call.call_id, call]))
}

/** All calls of a lead, the newest first. Strongly consistent. */
export const callsOf = async (lead: number): Promise<Call[]> => {
  const items = await queryAll(StoredItem, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': leadKey(lead).pk, ':prefix': CALL_PREFIX },
    ConsistentRead: true,
    ScanIndexForward: false,
  })
  return items.map(callFromItem)
}

/** Attributes of a call that are told once: a repeat, or a later contradiction, changes nothing. */
export type Milestones = Partial<Omit<Call, 'call_id' | 'lead' | 'owner' | 'attempt' | 'settled_time'>>

const clause = (word: string, parts: readonly string[]): string[] => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [])

/** What is a set grows. */
const onceExpression = (milestones: Milestones) => {
  const told = Object.entries(storedCall(milestones))
  const { once = [], sets = [] } = Object.groupBy(
    told.map(([, value], index) => ({ value, index })),
    ({ value }) => (value instanceof Set ? 'sets' : 'once'),
  )
  return {
    UpdateExpression: [
      ...clause(
        'SET',
        once.map(({ index }) => `#a${index} = if_not_exists(#a${index}, :v${index})`),
      ),
      ...clause(
        'ADD',
        sets.map(({ index }) => `#a${index} :v${index}`),
      ),
    ].join(' '),
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
  return told.held ? callFromItem(told.result) : undefined
}

/**
 * Notes that the agent is asked to place a call, from now until `until` by nobody else.
 * @returns false when somebody else is asking it, or the attempt has been given up
 */
export const claimAsking = async ({ lead, attempt }: Pick<Call, 'lead' | 'attempt'>, at: Instant, until: Instant): Promise<boolean> => {
  const claimed = await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: 'SET asked_time = if_not_exists(asked_time, :at), asking_until = :until',
      ConditionExpression: [
        'attribute_exists(pk) AND attribute_not_exists(refused_time) AND attribute_not_exists(unknown_time)',
        '(attribute_not_exists(asking_until) OR asking_until <= :at)',
      ].join(' AND '),
      ExpressionAttributeValues: { ':at': at, ':until': until },
    }),
  )
  return claimed.held
}

/** Has the sweep look at a call that is alive not each minute but from an instant on. */
export const watchFrom = async (call: Call, instant: Instant): Promise<void> => {
  await onCondition(
    updateItem(callKey(call.lead, call.attempt), {
      UpdateExpression: 'SET due_at = :due_at',
      ConditionExpression: 'attribute_exists(due_key)',
      ExpressionAttributeValues: { ':due_at': dueAt(instant, call.attempt, call.owner) },
    }),
  )
}

/** Ends the watch over a call: everything that follows from it has been done. Safe to repeat. */
export const settleCall = async (call: Call, at: Instant): Promise<void> => {
  await onCondition(
    updateItem(callKey(call.lead, call.attempt), {
      UpdateExpression: 'SET settled_time = if_not_exists(settled_time, :at) REMOVE due_key, due_at',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':at': at },
    }),
  )
}
