import type { Instant } from '../values/values.ts'
import type { Key } from './key.ts'

/** Number of partitions for a subscription's deliveries of one day, and for the retries in the due index. */
export const DELIVERY_SHARDS = 4

/** The parts of a delivery's key: the event's time and id, and the subscription. */
export interface DeliveryParts {
  readonly subscription: number
  readonly shard: number
  readonly time: Instant
  readonly eventId: string
}

export const deliveryShard = (lead: number): number => lead % DELIVERY_SHARDS

/** A delivery's id contains its key. It is the same however often the event arrives. */
export const deliveryId = ({ subscription, shard, time, eventId }: DeliveryParts): string => `${subscription}-${shard}-${time}-${eventId}`

/** @returns undefined when the text is not a delivery id. Ids longer than any event's id are refused, because they could not be a key. */
export const parseDeliveryId = (text: string): DeliveryParts | undefined => {
  const [, subscription, shard, time, eventId] = /^([1-9]\d{0,9})-(\d)-(\d{1,14})-(.{1,200})$/.exec(text) ?? []
  return subscription && shard && time && eventId
    ? { subscription: Number(subscription), shard: Number(shard), time: Number(time), eventId }
    : undefined
}

/** Partition of a subscription's deliveries for events of one UTC day. */
export const deliveryPartition = (subscription: number, shard: number, time: Instant): string =>
  `DELIVERY#${subscription}#${new Date(time).toISOString().slice(0, 10)}#${shard}`

/** Number of a subscription's deliveries for events of one day. Its days share a partition. */
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

/** Partition of the due index for a delivery's retry. */
export const retryKey = (shard: number): string => `WEBHOOK#${shard}`
