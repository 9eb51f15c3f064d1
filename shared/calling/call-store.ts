import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { now } from '../platform/clock.ts'
import { CALL_PREFIX, callKey, callKeyOf, dueAt, dueFrom, leadKey, type Placement, watchKey } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { compact } from '../platform/table/client.ts'
import { getItem, onCondition, queryAll, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { MINUTE, SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { Call } from './call.ts'

/**
 * The sweep first looks at an unsettled call this long after its intent. Most calls are over by then, and never cost a look. A request that
 * a crash cut short does not wait for it: its message comes back within seconds.
 */
const WATCH_AFTER = MINUTE

/** A look of the sweep that is due within this time is soon enough to repair a crash. */
const SOON = WATCH_AFTER + SECOND

/** Milestones that are recorded before phone and line are freed. */
export const ENDS = ['ended_time', 'completed_time', 'refused_time', 'unknown_time'] as const satisfies readonly (keyof Call)[]

/** Stored as JSON text: agents may report numbers and keys that the table cannot hold. */
const JSON_FIELDS = ['appointment', 'representative', 'external_ids'] as const

const mapJson = (item: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> => {
  const stored = JSON_FIELDS.filter((name) => item[name] !== undefined && item[name] !== null)
  return { ...item, ...Object.fromEntries(stored.map((name) => [name, map(item[name])])) }
}

/** Attributes of a call as the table stores them. */
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

/** The sweep watches a call until it is settled. `look`: when it looks at the call next. */
export const callPlacement = ({ lead, attempt, owner, settled_time }: Call, look: Instant): Placement | undefined =>
  settled_time === null ? { due_key: watchKey(lead), due_at: dueAt(look, attempt, owner) } : undefined

/** A write of the transaction that begins a call, watched until it is settled. It never overwrites an earlier call. */
export const insertCall = (call: Call): Write => ({
  put: {
    ...callKey(call.lead, call.attempt),
    ...storedCall(call),
    ...callPlacement(call, call.intent_time + WATCH_AFTER),
  },
  condition: 'attribute_not_exists(pk)',
})

/** Undefined when the id names no call. */
export const getCall = async (callId: string): Promise<Call | undefined> => {
  const key = callKeyOf(callId)
  const item = key && (await getItem(StoredItem, key))
  return item && callFromItem(item)
}

/** The calls with these ids, by id. An id without a call is left out. Strongly consistent. */
export const getCalls = async (ids: readonly string[]): Promise<Map<string, Call>> => {
  const items = await batchGet(
    StoredItem,
    ids.flatMap((id) => callKeyOf(id) ?? []),
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

/** Attributes of a call that are set once: a repeat, or a later contradiction, changes nothing. */
export type Milestones = Partial<Omit<Call, 'call_id' | 'lead' | 'owner' | 'attempt' | 'settled_time'>>

const clause = (word: string, parts: readonly string[]): string[] => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [])

/** The only attribute that every report overwrites. */
const NEWEST: keyof Milestones = 'last_heard_time'

/** The update that stores a report on a call. An attribute that has a value keeps it, except `NEWEST`. A set grows. `more`: further assignments. */
const milestoneExpression = (milestones: Milestones, more: readonly string[]) => {
  const changes = Object.entries(storedCall(milestones))
  const indexed = changes.map(([name, value], index) => ({ name, value, index }))
  const sets = indexed.filter(({ value }) => value instanceof Set)
  const others = indexed.filter(({ value }) => !(value instanceof Set))
  return {
    UpdateExpression: [
      ...clause('SET', [
        ...others.map(({ name, index }) => `#a${index} = ${name === NEWEST ? `:v${index}` : `if_not_exists(#a${index}, :v${index})`}`),
        ...more,
      ]),
      ...clause(
        'ADD',
        sets.map(({ index }) => `#a${index} :v${index}`),
      ),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries(changes.map(([name], index) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(changes.map(([, value], index) => [`:v${index}`, value])),
  }
}

interface Voiding {
  /** Nothing is written when the call has any of these milestones. */
  readonly unless?: readonly (keyof Milestones)[]
  /** The call as it was read. Nothing is written when a later report has arrived since. */
  readonly unheardSince?: Pick<Call, 'last_heard_time'>
}

export type CallKey = Pick<Call, 'lead' | 'attempt' | 'owner'>

/** Conditions of a write, the values that they use, and further assignments. */
interface Terms {
  readonly conditions: readonly string[]
  readonly values?: Readonly<Record<string, unknown>>
  readonly more?: readonly string[]
}

export const notVoid = ({ unless = [], unheardSince }: Voiding): Terms => {
  const heard = unheardSince?.last_heard_time ?? null
  return {
    conditions: [
      'attribute_exists(pk)',
      ...unless.map((name) => `attribute_not_exists(${name})`),
      ...(unheardSince ? [heard === null ? 'attribute_not_exists(last_heard_time)' : 'last_heard_time = :heard'] : []),
    ],
    values: heard === null ? {} : { ':heard': heard },
  }
}

/** Holds when the sweep looks at the call soon anyway, or when the call is settled. */
const lookedAtSoon = (at: Instant): Terms => ({
  conditions: ['(attribute_not_exists(due_at) OR due_at <= :soon)'],
  values: { ':soon': dueFrom(at + SOON) },
})

/** Moves the sweep's next look at the call to now. */
const lookMovedTo = (at: Instant, { attempt, owner }: CallKey): Terms => ({
  conditions: ['due_at > :soon'],
  values: { ':soon': dueFrom(at + SOON), ':due_at': dueAt(at, attempt, owner) },
  more: ['due_at = :due_at'],
})

/**
 * The writes to try, in this order. A crash may come between the record of a call's end and the release. The sweep must therefore look at
 * the call soon. Mostly that look is due soon anyway, and the first write succeeds. Otherwise the second write moves the look
 * to now. The third write covers a look that was moved between the first two.
 */
const waysToRecord = (call: CallKey, milestones: Milestones): readonly Terms[] => {
  if (ENDS.every((name) => (milestones[name] ?? null) === null)) return [{ conditions: [] }]
  const at = now()
  return [lookedAtSoon(at), lookMovedTo(at, call), lookedAtSoon(at)]
}

/**
 * Records milestones. The first value of each one stays, whatever the order of the reports.
 * @returns the call as it is now; undefined when there is none, or when `voiding` applies
 */
export const recordMilestones = async (call: CallKey, milestones: Milestones, voiding: Voiding = {}): Promise<Call | undefined> => {
  const valid = notVoid(voiding)
  for (const { conditions, values, more = [] } of waysToRecord(call, milestones)) {
    const expression = milestoneExpression(milestones, more)
    const updated = await onCondition(
      updateItem(callKey(call.lead, call.attempt), {
        ...expression,
        ExpressionAttributeValues: { ...expression.ExpressionAttributeValues, ...valid.values, ...values },
        ConditionExpression: [...valid.conditions, ...conditions].join(' AND '),
        ReturnValues: 'ALL_NEW',
      }),
    )
    if (updated.isMet) return callFromItem(updated.result)
  }
  return undefined
}

interface Claim {
  readonly at: Instant
  /** Until then, no other run may ask. */
  readonly until: Instant
  /** Whether this is the first request: the claim fails if another run has asked before. */
  readonly isFirst: boolean
}

/**
 * Claims the right to ask the agent to place a call.
 * @returns false when another run is asking, when another run has asked before the first request, or when the attempt is given up
 */
export const claimAsking = async ({ lead, attempt }: Pick<Call, 'lead' | 'attempt'>, { at, until, isFirst }: Claim): Promise<boolean> => {
  const claimed = await onCondition(
    updateItem(callKey(lead, attempt), {
      // Until version 1.0.2, only the first claim wrote `asked_time`.
      UpdateExpression: 'SET asking_until = :until, asking_token = :token, asked_time = if_not_exists(asked_time, :at)',
      ConditionExpression: [
        'attribute_exists(pk) AND attribute_not_exists(refused_time) AND attribute_not_exists(unknown_time)',
        // The SDK repeats a write whose answer was lost. The repeat finds the token that the write has set.
        `(asking_token = :token OR attribute_not_exists(asking_until)${isFirst ? '' : ' OR asking_until <= :at'})`,
      ].join(' AND '),
      ExpressionAttributeValues: { ':at': at, ':until': until, ':token': randomUUID() },
    }),
  )
  return claimed.isMet
}
