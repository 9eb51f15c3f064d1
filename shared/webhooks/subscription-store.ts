import * as v from 'valibot'
import { listenersVersionKey, SUBSCRIPTION_PREFIX, SUBSCRIPTIONS_PREFIX, subscriptionKey, userKey } from '../platform/keys.ts'
import { deleteItem, getItem, ifConditionHolds, onCondition, putItem, queryAll, updateItem } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'
import { Listener, Subscription } from './webhook.ts'

const Version = v.object({ version: v.number() })

/** Changes when the owner's subscriptions or erased leads have changed. Strongly consistent. */
export const listenersVersion = async (owner: number): Promise<number> => (await getItem(Version, listenersVersionKey(owner)))?.version ?? 0

/** Must follow a write of subscriptions or erased leads before it is acknowledged. Events that are written later then see the write. */
export const changeListeners = async (owner: number): Promise<void> => {
  await updateItem(listenersVersionKey(owner), { UpdateExpression: 'ADD version :one', ExpressionAttributeValues: { ':one': 1 } })
}

export const saveSubscription = async (subscription: v.InferInput<typeof Subscription>): Promise<void> => {
  await putItem({ ...subscriptionKey(subscription.owner, subscription.id), ...subscription })
  await changeListeners(subscription.owner)
}

export const getSubscription = (owner: number, id: number): Promise<Subscription | undefined> =>
  getItem(Subscription, subscriptionKey(owner, id))

/** Strongly consistent, in no useful order. */
const allWith = <S extends v.GenericSchema>(schema: S, owner: number, prefix: string): Promise<v.InferOutput<S>[]> =>
  queryAll(schema, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': userKey(owner).pk, ':prefix': prefix },
    ConsistentRead: true,
  })

const allOf = (owner: number): Promise<Subscription[]> => allWith(Subscription, owner, SUBSCRIPTION_PREFIX)

/** Sorted by time first: ids are handed out in blocks, so a smaller id may be newer. */
const newestFirst = (subscriptions: readonly Subscription[]): Subscription[] =>
  subscriptions.toSorted((a, b) => b.created_time - a.created_time || b.id - a.id)

/** All subscriptions of an owner, the newest first. */
export const subscriptionsOf = async (owner: number): Promise<Subscription[]> => newestFirst(await allOf(owner))

const ErasedLeads = v.object({ erased: v.set(v.number()) })

export interface Listeners {
  /** All subscriptions of the owner, in no useful order. */
  readonly subscriptions: readonly Listener[]
  /** Ids of erased leads. A pending event may still show their erased data. */
  readonly erased: ReadonlySet<number>
}

/** The owner's subscriptions and erased leads, in one query. */
export const listenersOf = async (owner: number): Promise<Listeners> => {
  const found = await allWith(v.union([ErasedLeads, Listener]), owner, SUBSCRIPTIONS_PREFIX)
  return {
    subscriptions: found.flatMap((each) => ('erased' in each ? [] : [each])),
    erased: new Set(found.flatMap((each) => ('erased' in each ? [...each.erased] : []))),
  }
}

/** Never cached, so that a subscription acknowledged before an event receives it. */
export const enabledSubscriptions = async (owner: number): Promise<Subscription[]> => (await allOf(owner)).filter(({ enabled }) => enabled)

/** @returns whether the write was made */
const changing = async (owner: number, write: Promise<boolean>): Promise<boolean> => {
  const isMade = await write
  if (isMade) await changeListeners(owner)
  return isMade
}

/** @returns whether it existed */
export const deleteSubscription = (owner: number, id: number): Promise<boolean> => changing(owner, deleteItem(subscriptionKey(owner, id)))

type Addressed = Pick<Subscription, 'owner' | 'id' | 'url'>

/** @returns whether it existed and still had the URL */
export const deleteSubscriptionOfUrl = ({ owner, id, url }: Addressed): Promise<boolean> =>
  changing(
    owner,
    ifConditionHolds(
      deleteItem(subscriptionKey(owner, id), {
        ConditionExpression: '#url = :url',
        ExpressionAttributeNames: { '#url': 'url' },
        ExpressionAttributeValues: { ':url': url },
      }),
    ),
  )

type Fields = Partial<Omit<Subscription, 'id' | 'owner'>>

/** Conditions and values for `name` = value, or for its absence if the value is null. */
const isAsSeen = (seen: Fields) => {
  const entries = Object.entries(seen)
  return {
    conditions: entries.map(([name, value]) => (value === null ? `attribute_not_exists(#${name})` : `#${name} = :seen_${name}`)),
    names: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[`:seen_${name}`, value]]))),
  }
}

/**
 * Changes fields of a subscription; null removes one. All other fields stay, also those that others change at the same time.
 * @returns the subscription; undefined when its URL or headers are not as seen, or it is gone
 */
export const changeSubscription = async ({ owner, id, url, headers }: Subscription, changes: Fields): Promise<Subscription | undefined> => {
  const { conditions, names, values } = isAsSeen({ url, headers })
  const entries = Object.entries(changes)
  const set = entries.filter(([, value]) => value !== null)
  const removed = entries.filter(([, value]) => value === null)
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
  ]
  const update = await onCondition(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: clauses.join(' '),
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: { ...names, ...Object.fromEntries(entries.map(([name]) => [`#${name}`, name])) },
      ExpressionAttributeValues: { ...values, ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])) },
      ReturnValues: 'ALL_NEW',
    }),
  )
  if (!update.isMet) return undefined
  await changeListeners(owner)
  return v.parse(Subscription, update.result)
}

/** Enables a subscription and clears its failures. @returns the subscription; undefined when it is gone */
export const enableSubscription = async (owner: number, id: number, at: Instant): Promise<Subscription | undefined> => {
  const update = await onCondition(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'SET enabled = :yes, enabled_time = :at REMOVE disabled_reason, disabled_time, failing_since, daily_failures',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':yes': true, ':at': at },
      ReturnValues: 'ALL_NEW',
    }),
  )
  if (!update.isMet) return undefined
  await changeListeners(owner)
  return v.parse(Subscription, update.result)
}

/** Never recreates a deleted subscription. @returns false also when it no longer matches `asSeen` */
export const disableSubscription = (
  owner: number,
  id: number,
  { reason, at }: { readonly reason: string; readonly at: Instant },
  asSeen: Partial<Pick<Subscription, 'enabled_time' | 'failing_since' | 'url'>> = {},
): Promise<boolean> => {
  const { conditions, names, values } = isAsSeen(asSeen)
  return changing(
    owner,
    ifConditionHolds(
      updateItem(subscriptionKey(owner, id), {
        UpdateExpression: 'SET enabled = :no, disabled_reason = :reason, disabled_time = :at',
        ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
        ...(conditions.length > 0 && { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: { ':no': false, ':reason': reason, ':at': at, ...values },
      }),
    ),
  )
}

/** Sets a time and `more`. Only while the subscription still has this URL: another destination is not to blame. */
const noteOnce = (
  { owner, id, url }: Addressed,
  name: 'failing_since' | 'slow_since',
  at: Instant,
  more: Fields = {},
): Promise<boolean> => {
  const others = Object.entries(more)
  return ifConditionHolds(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: `SET #name = :at${others.map(([other]) => `, ${other} = :${other}`).join('')}`,
      ConditionExpression: '#url = :url AND attribute_not_exists(#name)',
      ExpressionAttributeNames: { '#name': name, '#url': 'url' },
      ExpressionAttributeValues: { ':at': at, ':url': url, ...Object.fromEntries(others.map(([other, value]) => [`:${other}`, value])) },
    }),
  )
}

const forget = async (owner: number, id: number, fields: 'failing_since, daily_failures' | 'slow_since'): Promise<void> => {
  await ifConditionHolds(
    updateItem(subscriptionKey(owner, id), { UpdateExpression: `REMOVE ${fields}`, ConditionExpression: 'attribute_exists(pk)' }),
  )
}

/** Marks the destination as slow. @returns whether this call set the mark */
export const markSlow = (subscription: Addressed, at: Instant): Promise<boolean> => noteOnce(subscription, 'slow_since', at)

/** The destination is no longer slow. */
export const unmarkSlow = (owner: number, id: number): Promise<void> => forget(owner, id, 'slow_since')

/** Records when failures began. An earlier record stays. */
export const noteFailing = (subscription: Addressed, at: Instant): Promise<boolean> =>
  noteOnce(subscription, 'failing_since', at, { daily_failures: { since: at, last: at } })

/** Records a failure of another day, while the failures since `failing_since` go on. */
export const noteFailingDaily = async (
  { owner, id }: Addressed,
  daily: Subscription['daily_failures'],
  { failing_since }: Pick<Subscription, 'failing_since'>,
): Promise<void> => {
  await ifConditionHolds(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'SET daily_failures = :daily',
      ConditionExpression: 'failing_since = :seen',
      ExpressionAttributeValues: { ':daily': daily, ':seen': failing_since },
    }),
  )
}

export const noteWellAgain = (owner: number, id: number): Promise<void> => forget(owner, id, 'failing_since, daily_failures')
