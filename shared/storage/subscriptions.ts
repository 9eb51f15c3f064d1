import { Subscription } from '../schema/webhook.ts'
import { SUBSCRIPTION_PREFIX, subscriptionKey, userKey } from './keys.ts'
import { getItem, ifConditionHolds, putItem, query, updateItem } from './table.ts'

export const saveSubscription = (subscription: Subscription): Promise<void> =>
  putItem({ ...subscriptionKey(subscription.owner, subscription.id), ...subscription })

export const getSubscription = (owner: number, id: number): Promise<Subscription | undefined> =>
  getItem(Subscription, subscriptionKey(owner, id))

/** Strongly consistent and never cached: a subscription that was acknowledged before an event hears of it. */
export const enabledSubscriptions = async (owner: number): Promise<Subscription[]> => {
  const found: Subscription[] = []
  let from: Record<string, unknown> | undefined
  do {
    const { items, next } = await query(Subscription, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': userKey(owner).pk, ':prefix': SUBSCRIPTION_PREFIX },
      ConsistentRead: true,
      ...(from && { ExclusiveStartKey: from }),
    })
    found.push(...items)
    from = next
  } while (from)
  return found.filter(({ enabled }) => enabled)
}

/** One that is gone stays gone. */
export const disableSubscription = async (owner: number, id: number): Promise<void> => {
  await ifConditionHolds(
    updateItem(subscriptionKey(owner, id), {
      UpdateExpression: 'SET enabled = :no',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':no': false },
    }),
  )
}
