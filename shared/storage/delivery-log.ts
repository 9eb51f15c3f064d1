import * as v from 'valibot'
import { DAY } from '../domain/durations.ts'
import type { Instant } from '../schema/values.ts'
import { Delivery } from '../schema/webhook.ts'
import { batchGet } from './batches.ts'
import { DELIVERY_SHARDS, deliveryPartition, type Key } from './keys.ts'
import { countItems, queryAll } from './table.ts'

/** Whole days, so that what grows too old leaves the log at midnight and not between two pages. */
const DAYS = 30

/** Days that are counted at one moment. */
const AT_ONCE = 8

const IndexEntry = v.object({ pk: v.string(), sk: v.string() })

const partitionsOf = (subscription: number, day: Instant): string[] =>
  Array.from({ length: DELIVERY_SHARDS }, (_, shard) => deliveryPartition(subscription, shard, day))

const ofPartition = (partition: string) => ({
  IndexName: 'by_owner',
  KeyConditionExpression: 'owner_block = :block',
  ExpressionAttributeValues: { ':block': partition },
})

const keysOf = (partition: string): Promise<Key[]> => queryAll(IndexEntry, ofPartition(partition))

const countOfDay = async (subscription: number, day: Instant): Promise<number> => {
  const counts = await Promise.all(partitionsOf(subscription, day).map((partition) => countItems(ofPartition(partition))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The newest first: sort keys begin with the event's time. */
const keysOfDay = async (subscription: number, day: Instant): Promise<Key[]> =>
  (await Promise.all(partitionsOf(subscription, day).map(keysOf))).flat().sort((a, b) => (a.sk < b.sk ? 1 : -1))

interface Day {
  readonly day: Instant
  readonly count: number
}

/** An event may be told to a subscription that is a moment younger. */
const countDays = async (subscription: number, since: Instant, until: Instant): Promise<Day[]> => {
  const first = Math.max(Math.floor(since / DAY) - 1, Math.floor(until / DAY) - DAYS)
  const days = Array.from({ length: Math.floor(until / DAY) - first + 1 }, (_, index) => until - index * DAY)
  const counted: Day[] = []
  for (let start = 0; start < days.length; start += AT_ONCE) {
    const part = days.slice(start, start + AT_ONCE)
    counted.push(...(await Promise.all(part.map(async (day) => ({ day, count: await countOfDay(subscription, day) })))))
  }
  return counted
}

const keysBetween = async (subscription: number, days: readonly Day[], skip: number, take: number): Promise<Key[]> => {
  const keys: Key[] = []
  let before = 0
  for (const { day, count } of days) {
    const [from, to] = [Math.max(0, skip - before), Math.min(count, skip + take - before)]
    if (from < to) keys.push(...(await keysOfDay(subscription, day)).slice(from, to))
    before += count
  }
  return keys
}

/** A subscription's deliveries of the last 30 days, the newest first. */
export interface DeliveryLog {
  readonly count: number
  /** Up to `take` deliveries after the first `skip`. */
  readonly page: (skip: number, take: number) => Promise<Delivery[]>
}

/**
 * Counted and paged in the list index, by days: an entry of it is a tenth of a kilobyte, whatever the payload. The count costs what
 * the index holds of the log, a page besides what it holds of the page's day.
 */
export const deliveryLog = async ({ id, created_time }: { id: number; created_time: Instant }, until: Instant): Promise<DeliveryLog> => {
  const days = await countDays(id, created_time, until)
  return {
    count: days.reduce((sum, { count }) => sum + count, 0),
    page: async (skip, take) => {
      const keys = await keysBetween(id, days, skip, take)
      const found = await batchGet(v.object({ ...Delivery.entries, pk: v.string(), sk: v.string() }), keys, { consistent: true })
      const bySk = new Map(found.map((item) => [`${item.pk} ${item.sk}`, item]))
      return keys.flatMap(({ pk, sk }) => bySk.get(`${pk} ${sk}`) ?? [])
    },
  }
}
