import { createHash } from 'node:crypto'
import { dayOf } from '../values/day.ts'
import type { Instant } from '../values/values.ts'
import { dueAt, type Placement, shardsOf } from './due.ts'
import { type Key, keyPart } from './key.ts'

/** Number of partitions for a subscription's deliveries of one day, and for its failed ones in the due index. */
export const DELIVERY_SHARDS = 4

/** The parts of a delivery's key: the event's time and id, the subscription, and the lead. */
export interface DeliveryParts {
  readonly subscription: number
  readonly shard: number
  /** Absent for a test, and in ids of deliveries that version 1.0.2 or older wrote. */
  readonly lead?: number
  readonly time: Instant
  readonly eventId: string
}

export const deliveryShard = (lead: number): number => lead % DELIVERY_SHARDS

/** A delivery's id contains its key. It is the same however often the event arrives. */
export const deliveryId = ({ subscription, shard, lead, time, eventId }: DeliveryParts): string =>
  `${subscription}-${lead === undefined ? shard : `L${lead}`}-${time}-${eventId}`

/** A lead decides the shard of its deliveries. Undefined when neither is given. */
const placeOf = (lead: string | undefined, shard: string | undefined): Pick<DeliveryParts, 'shard' | 'lead'> | undefined => {
  if (lead) return { shard: deliveryShard(Number(lead)), lead: Number(lead) }
  return shard ? { shard: Number(shard) } : undefined
}

/** @returns undefined when the text is not a delivery id. Ids longer than any event's id are refused, because they could not be a key. */
export const parseDeliveryId = (text: string): DeliveryParts | undefined => {
  const [, subscription, shard, lead, time, eventId] = /^([1-9]\d{0,9})-(?:(\d)|L([1-9]\d{0,9}))-(\d{1,14})-(.{1,200})$/.exec(text) ?? []
  const place = placeOf(lead, shard)
  return subscription && place && time && eventId
    ? { subscription: Number(subscription), ...place, time: Number(time), eventId }
    : undefined
}

/** @throws Error when the text is not a delivery id */
export const deliveryPartsOf = (id: string): DeliveryParts => {
  const parts = parseDeliveryId(id)
  if (!parts) throw new Error(`Not the id of a delivery: ${id}`)
  return parts
}

/** Partition of a subscription's deliveries for events of one UTC day. */
export const deliveryPartition = (subscription: number, shard: number, time: Instant): string =>
  `DELIVERY#${subscription}#${dayOf(time)}#${shard}`

/** Partition of the list index for a delivery. It is by subscription and day, whatever the partition of the item. */
export const deliveryList = ({ subscription, shard, time }: DeliveryParts): string => deliveryPartition(subscription, shard, time)

/** The partitions of the list index for a subscription's deliveries of one day. `day`: any instant of it, in UTC. */
export const deliveryListsOf = (subscription: number, day: Instant): string[] =>
  shardsOf(DELIVERY_SHARDS).map((shard) => deliveryPartition(subscription, shard, day))

/** Partition of a lead's deliveries to all subscriptions. An erasure finds them by the lead alone. */
export const leadDeliveriesPk = (lead: number): string => `DELIVERY#LEAD#${lead}`

export const deliveryKey = ({ subscription, shard, lead, time, eventId }: DeliveryParts): Key => {
  const iso = new Date(time).toISOString()
  if (lead === undefined) return { pk: deliveryPartition(subscription, shard, time), sk: `${iso}#${eventId}` }
  return { pk: leadDeliveriesPk(lead), sk: `${iso}#${subscription}#${eventId}` }
}

/** @throws Error when the key is not a delivery's. */
export const parseDeliveryKey = ({ pk, sk }: Key): DeliveryParts => {
  const [, ofDay, shard, lead] = /^DELIVERY#(?:(\d+)#[\d-]+#(\d)|LEAD#([1-9]\d*))$/.exec(pk) ?? []
  const place = placeOf(lead, shard)
  // In a lead's partition, the sort key also contains the subscription.
  const [, iso, ofLead, eventId] = (lead ? /^([^#]+)#(\d+)#(.+)$/ : /^([^#]+)#()(.+)$/).exec(sk) ?? []
  const subscription = ofDay ?? ofLead
  const time = Date.parse(iso ?? '')
  if (!place || !subscription || !eventId || Number.isNaN(time)) throw new Error(`Not the key of a delivery: ${pk} ${sk}`)
  return { subscription: Number(subscription), ...place, time, eventId }
}

/** How a slow destination answers, and when its next attempt may begin. */
export const paceKey = (subscription: number): Key => ({ pk: `PACE#${subscription}`, sk: 'PACE' })

/** Number of partitions of the due index for retries of deliveries. Until version 1.0.2 there were four. */
const RETRY_SHARDS = 16
const retryShardKey = (shard: number): string => `WEBHOOK#${shard}`
/** Partition of the due index for a delivery's retry. */
export const retryKey = ({ lead, shard }: Pick<DeliveryParts, 'lead' | 'shard'>): string =>
  retryShardKey(lead === undefined ? shard : lead % RETRY_SHARDS)
/** All these partitions. The sweep looks at each. */
export const RETRY_KEYS = shardsOf(RETRY_SHARDS).map(retryShardKey)

/** Partition of the due index for failed deliveries. Nothing in it is ever due. */
const failedKey = (subscription: number, shard: number): string => `FAILED#${subscription}#${shard}`

/** The partitions of the failed deliveries of a subscription. */
export const failedKeys = (subscription: number): string[] => shardsOf(DELIVERY_SHARDS).map((shard) => failedKey(subscription, shard))

const TIE_BYTES = 6
const TIE_DIGITS = 10
/** Not decimal: an erasure must never take it for a phone number. */
const TIE_BASE = 36

/** Larger than any number that tells apart events of the same instant. These begin with 1. */
export const LAST_TIE = TIE_BASE ** TIE_DIGITS - 1

/** A place in a list of deliveries: the time of the event, and a number that tells apart events of the same instant. */
interface ListPlace {
  readonly time: Instant
  readonly owner: number
  readonly tie: number
}

const listedAt = ({ time, owner, tie }: ListPlace): string => `${dueAt(time, 0, owner)}#${tie.toString(TIE_BASE).padStart(TIE_DIGITS, '0')}`

const LISTED_AT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#0#\d{1,10}#[0-9a-z]{10})$/

/** @throws Error when the text is no place in a list of deliveries */
export const parseListedAt = (text: string): ListPlace => {
  const [iso = '', , owner, tie = ''] = keyPart(text, LISTED_AT, 'a delivery in a list').split('#')
  const time = Date.parse(iso)
  if (Number.isNaN(time)) throw new Error(`Not the key of a delivery in a list: ${text}`)
  return { time, owner: Number(owner), tie: Number.parseInt(tie, TIE_BASE) }
}

/** The places of events between two instants. */
export const listedBetween = (since: Instant, until: Instant, owner: number) => ({
  from: listedAt({ time: since, owner, tie: 0 }),
  to: listedAt({ time: until, owner, tie: LAST_TIE }),
})

/** The place beside another one. */
export const besideListed = (at: string, by: 1 | -1): string => {
  const place = parseListedAt(at)
  return listedAt({ ...place, tie: place.tie + by })
}

/** The place of a delivery, by the time of its event. */
export const placeInList = ({ time, eventId }: Pick<DeliveryParts, 'time' | 'eventId'>, owner: number): string => {
  const tie =
    1 +
    Number.parseInt(
      createHash('sha256')
        .update(eventId)
        .digest('hex')
        .slice(0, 2 * TIE_BYTES),
      16,
    )
  return listedAt({ time, owner, tie })
}

/** Lists a failed delivery by the time of its event. */
export const failedPlacement = (parts: DeliveryParts, owner: number): Placement => ({
  due_key: failedKey(parts.subscription, parts.shard),
  due_at: placeInList(parts, owner),
})
