import type { Instant } from '../values/values.ts'
import type { Key } from './key.ts'

/** How many partitions share a subscription's deliveries of a day, and the retries that will be due. */
export const DELIVERY_SHARDS = 4

/** What the key of a delivery is made of: the event's time and id, and the subscription that it goes to. */
export interface DeliveryParts {
  readonly subscription: number
  readonly shard: number
  readonly time: Instant
  readonly eventId: string
}

export const deliveryShard = (lead: number): number => lead % DELIVERY_SHARDS

/** The id of a delivery tells its key, and is the same however often its event arrives. */
export const deliveryId = ({ subscription, shard, time, eventId }: DeliveryParts): string => `${subscription}-${shard}-${time}-${eventId}`

/** @returns undefined when the text is no delivery id: nor is one longer than any event's, of which there could be no key. */
export const parseDeliveryId = (text: string): DeliveryParts | undefined => {
  const [, subscription, shard, time, eventId] = /^([1-9]\d{0,9})-(\d)-(\d{1,14})-(.{1,200})$/.exec(text) ?? []
  return subscription && shard && time && eventId
    ? { subscription: Number(subscription), shard: Number(shard), time: Number(time), eventId }
    : undefined
}

/** Partition of a subscription's deliveries of events of one day, in UTC. */
export const deliveryPartition = (subscription: number, shard: number, time: Instant): string =>
  `DELIVERY#${subscription}#${new Date(time).toISOString().slice(0, 10)}#${shard}`

/** How many deliveries of events of a day there are, those of a subscription beside each other. */
export const deliveryCountKey = (subscription: number, day: Instant): Key => ({
  pk: `DELIVERIES#${subscription}`,
  sk: new Date(day).toISOString().slice(0, 10),
})

export const deliveryKey = ({ subscription, shard, time, eventId }: DeliveryParts): Key => ({
  pk: deliveryPartition(subscription, shard, time),
  sk: `${new Date(time).toISOString()}#${eventId}`,
})

/** @throws Error when the key is not a delivery's. */
export const parseDeliveryKey = ({ pk, sk }: Key): DeliveryParts => {
  const [, subscription, shard] = /^DELIVERY#(\d+)#[\d-]+#(\d)$/.exec(pk) ?? []
  const [, iso, eventId] = /^([^#]+)#(.+)$/.exec(sk) ?? []
  const time = Date.parse(iso ?? '')
  if (!subscription || !shard || !eventId || Number.isNaN(time)) throw new Error(`Not the key of a delivery: ${pk} ${sk}`)
  return { subscription: Number(subscription), shard: Number(shard), time, eventId }
}

/** How a slow destination answers, and when its next attempt may begin. */
export const paceKey = (subscription: number): Key => ({ pk: `PACE#${subscription}`, sk: 'PACE' })

/** Partition of the due index in which a delivery's retry stands. */
export const retryKey = (shard: number): string => `WEBHOOK#${shard}`
