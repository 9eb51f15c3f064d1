import * as v from 'valibot'
import { SUBSCRIPTION_PREFIX, SUBSCRIPTIONS_PREFIX, subscriptionKey, userKey } from '../platform/keys.ts'
import { deleteItem, getItem, ifConditionHolds, onCondition, putItem, queryAll, updateItem } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'
import { Subscription } from './webhook.ts'

export const saveSubscription = (subscription: v.InferInput<typeof Subscription>): Promise<void> =>
  putItem({ ...subscriptionKey(subscription.owner, subscription.id), ...subscription })

export const getSubscription = (owner: number, id: number): Promise<Subscription | undefined> =>
  getItem(Subscription, subscriptionKey(owner, id))

/** Strongly consistent, in no order of use. */
const allWith = <S extends v.GenericSchema>(schema: S, owner: number, prefix: string): Promise<v.InferOutput<S>[]> =>
  queryAll(schema, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': userKey(owner).pk, ':prefix': prefix },
    ConsistentRead: true,
  })

const allOf = (owner: number): Promise<Subscription[]> => allWith(Subscription, owner, SUBSCRIPTION_PREFIX)

/** Ids come in blocks, so that a smaller one may be the newer. */
const newestFirst = (subscriptions: readonly Subscription[]): Subscription[] =>
  subscriptions.toSorted((a, b) => b.created_time - a.created_time || b.id - a.id)

/** All of an owner's, the newest first. */
export const subscriptionsOf = async (owner: number): Promise<Subscription[]> => newestFirst(await allOf(owner))

const ErasedLeads = v.object({ erased: v.set(v.number()) })

export interface Listeners {
  /** All of the owner's, the newest first. */
  readonly subscriptions: readonly Subscription[]
  /** Ids of leads of which an event that is on its way may show what was erased. */
  readonly erased: ReadonlySet<number>
}

/** Who may be told of events, and of which leads not as they show them: at the cost of `subscriptionsOf`. */
export const listenersOf = async (owner: number): Promise<Listeners> => {
  const found = await allWith(v.union([ErasedLeads, Subscription]), owner, SUBSCRIPTIONS_PREFIX)
  return {
    subscriptions: newestFirst(found.flatMap((each) => ('erased' in each ? [] : [each]))),
    erased: new Set(found.flatMap((each) => ('erased' in each ? [...each.erased] : []))),
  }
}

/** Never cached: a subscription that was acknowledged before an event hears of it. */
export const enabledSubscriptions = async (owner: number): Promise<Subscription[]> => (await allOf(owner)).filter(({ enabled }) => enabled)

/** @returns whether there was one */
export const deleteSubscription = (owner: number, id: number): Promise<boolean> => deleteItem(subscriptionKey(owner, id))

/** Also what was counted against it is forgotten. @returns the subscription; undefined when it is gone */
export const enableSubscription = async (owner: number, id: number, at: Instant): Promise<Subscription | undefined> => {
  const update = await onCondition(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'SET enabled = :yes, enabled_time = :at REMOVE disabled_reason, disabled_time, failing_since',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':yes': true, ':at': at },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return update.held ? v.parse(Subscription, update.result) : undefined
}

/** One that is gone stays gone. @returns false also when it is not `asSeen` any more */
export const disableSubscription = (
  owner: number,
  id: number,
  { reason, at }: { readonly reason: string; readonly at: Instant },
  asSeen: Partial<Pick<Subscription, 'enabled_time' | 'failing_since'>> = {},
): Promise<boolean> => {
  const conditions = Object.entries(asSeen).map(([name, value]) =>
    value === null ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  )
  const seen = Object.entries(asSeen).flatMap(([name, value]) => (value === null ? [] : [[`:${name}`, value]]))
  return ifConditionHolds(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'SET enabled = :no, disabled_reason = :reason, disabled_time = :at',
      ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
      ExpressionAttributeValues: { ':no': false, ':reason': reason, ':at': at, ...Object.fromEntries(seen) },
    }),
  )
}

const noteOnce = (owner: number, id: number, name: 'failing_since' | 'slow_since', at: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'SET #name = :at',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#name)',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':at': at },
    }),
  )

const forget = async (owner: number, id: number, name: 'failing_since' | 'slow_since'): Promise<void> => {
  await ifConditionHolds(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'REMOVE #name',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': name },
    }),
  )
}

/** Notes that its destination is slow. @returns whether it is this that did */
export const markSlow = (owner: number, id: number, at: Instant): Promise<boolean> => noteOnce(owner, id, 'slow_since', at)

/** Its destination is slow no more. */
export const unmarkSlow = (owner: number, id: number): Promise<void> => forget(owner, id, 'slow_since')

/** Notes since when nothing but failures came of it; what was noted before stays. */
export const noteFailing = (owner: number, id: number, at: Instant): Promise<boolean> => noteOnce(owner, id, 'failing_since', at)

export const noteWellAgain = (owner: number, id: number): Promise<void> => forget(owner, id, 'failing_since')
