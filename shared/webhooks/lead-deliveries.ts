import type { Lead } from '../leads/lead.ts'
import { deliveryPartition, deliveryShard, leadDeliveriesPk } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { queryAll } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { Delivery, type Subscription } from './webhook.ts'

/** Days for which deliveries are kept. */
const DAYS = 31
const LANES = 8

/**
 * All deliveries of a lead's events in the delivery log. Until version 1.0.2, deliveries were stored by subscription and day. It reads all
 * these partitions too, so it is for operators, not for requests.
 */
export const deliveriesOfLead = async (
  { id, created_time }: Pick<Lead, 'id' | 'created_time'>,
  subscriptions: readonly Pick<Subscription, 'id'>[],
  until: Instant,
): Promise<Delivery[]> => {
  const first = Math.max(created_time - DAY, until - DAYS * DAY)
  const days = Array.from({ length: Math.ceil((until - first) / DAY) + 1 }, (_, day) => until - day * DAY)
  const former = subscriptions.flatMap((subscription) => days.map((day) => deliveryPartition(subscription.id, deliveryShard(id), day)))
  const found = await inLanes(LANES, [leadDeliveriesPk(id), ...former], (partition) =>
    queryAll(Delivery, {
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: '#lead = :lead',
      ExpressionAttributeNames: { '#lead': 'lead' },
      ExpressionAttributeValues: { ':pk': partition, ':lead': id },
    }),
  )
  return found.flat()
}
