import * as v from 'valibot'
import { type ListIndex, pageOfLists } from '../lists/merged-lists.ts'
import { besideFailed, DELIVERY_SHARDS, deliveryPartition, failedKeys, failedSince, type Key, parseFailedAt } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { batchGet } from '../platform/table/batches.ts'
import { countItems, query } from '../platform/table/table.ts'
import type { Cursor, Neighbour } from '../platform/values/cursor.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { isDayComplete, keepCount, keptCounts } from './delivery-counts.ts'
import { Delivery, type Subscription } from './webhook.ts'

/** Whole days, so that old deliveries leave the log at midnight and not between two pages. */
export const DAYS = 30

/** Days that are counted in parallel. */
const LANES = 8

const IndexEntry = v.object({ pk: v.string(), sk: v.string() })

const partitionsOf = (subscription: number, day: Instant): string[] =>
  Array.from({ length: DELIVERY_SHARDS }, (_, shard) => deliveryPartition(subscription, shard, day))

const ofPartition = (partition: string) => ({
  IndexName: 'by_owner',
  KeyConditionExpression: 'owner_block = :block',
  ExpressionAttributeValues: { ':block': partition },
})

/** The newest keys of a partition, at most `most`. */
const keysOf = async (partition: string, most: number): Promise<Key[]> => {
  const keys: Key[] = []
  let start: Record<string, unknown> | undefined
  do {
    const page = await query(IndexEntry, {
      ...ofPartition(partition),
      ScanIndexForward: false,
      Limit: most - keys.length,
      ...(start && { ExclusiveStartKey: start }),
    })
    keys.push(...page.items)
    start = page.next
  } while (start && keys.length < most)
  return keys
}

/** How many deliveries the list index holds for a subscription and a day of events. `day`: any instant of it, in UTC. */
export const countOfDay = async (subscription: number, day: Instant): Promise<number> => {
  const counts = await Promise.all(partitionsOf(subscription, day).map((partition) => countItems(ofPartition(partition))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Sort keys begin with the event's time. */
const TIME_LENGTH = new Date(0).toISOString().length

const timeOf = ({ sk }: Key): string => sk.slice(0, TIME_LENGTH)

/** The newest keys of a day, at most `most`. Keys of the same instant keep the order of the index, so that pages are stable. */
const keysOfDay = async (subscription: number, day: Instant, most: number): Promise<Key[]> => {
  const keys = (await Promise.all(partitionsOf(subscription, day).map((partition) => keysOf(partition, most)))).flat()
  return keys.sort((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) < timeOf(b) ? 1 : -1)).slice(0, most)
}

interface Day {
  readonly day: Instant
  readonly count: number
}

/** Counts a day. A day that is over is counted only once, and the count is stored. */
const countedAnew = async (subscription: number, day: Instant, until: Instant): Promise<number> => {
  const count = await countOfDay(subscription, day)
  if (isDayComplete(day, until)) await keepCount(subscription, day, count)
  return count
}

/** Counts each day. It begins a day early, because an event can be slightly older than a subscription that receives it. */
const countDays = async (subscription: number, since: Instant, until: Instant): Promise<Day[]> => {
  const first = Math.max(Math.floor(since / DAY) - 1, Math.floor(until / DAY) - DAYS)
  const known = await keptCounts(subscription, first * DAY)
  const days = Array.from({ length: Math.floor(until / DAY) - first + 1 }, (_, index) => until - index * DAY)
  const counted: Day[] = []
  await inLanes(LANES, days, async (day) => {
    counted.push({ day, count: known(day) ?? (await countedAnew(subscription, day, until)) })
  })
  return counted.sort((a, b) => b.day - a.day)
}

const keysBetween = async (subscription: number, days: readonly Day[], skip: number, take: number): Promise<Key[]> => {
  const keys: Key[] = []
  let before = 0
  for (const { day, count } of days) {
    const [from, to] = [Math.max(0, skip - before), Math.min(count, skip + take - before)]
    if (from < to) keys.push(...(await keysOfDay(subscription, day, to)).slice(from, to))
    before += count
  }
  return keys
}

/** The first instant whose events the log shows. */
const startOfLog = (until: Instant): Instant => (Math.floor(until / DAY) - DAYS) * DAY

/** The deliveries with these keys, in this order. */
const deliveriesAt = async (keys: readonly Key[]): Promise<Delivery[]> => {
  const found = await batchGet(v.object({ ...Delivery.entries, pk: v.string(), sk: v.string() }), keys, { consistent: true })
  const bySk = new Map(found.map((item) => [`${item.pk} ${item.sk}`, item]))
  return keys.flatMap(({ pk, sk }) => bySk.get(`${pk} ${sk}`) ?? [])
}

/** A subscription's deliveries of the last 30 days, the newest first. */
export interface DeliveryLog {
  readonly count: number
  /** Up to `take` deliveries after the first `skip`. */
  readonly page: (skip: number, take: number) => Promise<Delivery[]>
}

/**
 * Counts and pages use the list index by day: an entry has about 100 bytes, whatever the payload.
 * A count reads the index of the last two or three days, because earlier days have stored counts.
 * A page also reads the index of its own day, from the newest entry down to the page.
 */
export const deliveryLog = async ({ id, created_time }: { id: number; created_time: Instant }, until: Instant): Promise<DeliveryLog> => {
  const days = await countDays(id, created_time, until)
  return {
    count: days.reduce((sum, { count }) => sum + count, 0),
    page: async (skip, take) => deliveriesAt(await keysBetween(id, days, skip, take)),
  }
}

const FailedEntry = v.object({ pk: v.string(), sk: v.string(), due_at: v.string() })

interface Failed {
  readonly key: Key
  readonly at: string
}

const FAILED_INDEX: ListIndex<Failed> = {
  behind: (span, at) => (span.isAscending ? { ...span, from: besideFailed(at, 1) } : { ...span, to: besideFailed(at, -1) }),
  read: async (list, { from, to, isAscending }, most, start) => {
    const { items, next } = await query(FailedEntry, {
      IndexName: 'by_due',
      KeyConditionExpression: 'due_key = :list AND due_at BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':list': list, ':from': from, ':to': to },
      ScanIndexForward: isAscending,
      Limit: most,
      ...(start && { ExclusiveStartKey: start }),
    })
    return { found: items.map(({ pk, sk, due_at }) => ({ key: { pk, sk }, at: due_at })), next }
  },
}

/** Whether a cursor of a list of failed deliveries may name this place. */
export const isFailedPlace = (at: string): boolean => {
  try {
    parseFailedAt(at)
    return true
  } catch {
    return false
  }
}

/** The list that a cursor is for. */
export const nameOfFailedList = (subscription: number): string => `failed deliveries of ${subscription}`

interface FailedPage {
  readonly count: number
  readonly next: Neighbour
  readonly previous: Neighbour
  readonly deliveries: readonly Delivery[]
}

/**
 * A page of the deliveries that the service has given up, the newest event first. Its cost depends on the page, but not on the number of
 * deliveries. The index lags behind the table, so a delivery that was resent a moment ago is left out.
 * @param cursor where the page begins. Undefined: the first page.
 */
export const pageOfFailed = async (
  { id, owner }: Pick<Subscription, 'id' | 'owner'>,
  until: Instant,
  size: number,
  cursor: Cursor | undefined,
): Promise<FailedPage> => {
  const span = { ...failedSince(startOfLog(until), until, owner), isAscending: false }
  const { entries, ...page } = await pageOfLists(FAILED_INDEX, failedKeys(id), span, size, cursor)
  const deliveries = await deliveriesAt(entries.map(({ key }) => key))
  return { ...page, deliveries: deliveries.filter(({ status }) => status === 'failed') }
}
