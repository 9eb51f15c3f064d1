import * as v from 'valibot'
import { type Groups, type ListIndex, pageOfLists, type Span } from '../lists/merged-lists.ts'
import {
  besideListed,
  deliveryListsOf,
  failedKeys,
  type Key,
  LAST_TIE,
  listedBetween,
  parseDeliveryKey,
  parseListedAt,
  placeInList,
} from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { query } from '../platform/table/table.ts'
import type { Cursor, Neighbour } from '../platform/values/cursor.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { Delivery, type Subscription } from './webhook.ts'

/** Whole days, so that old deliveries leave the log at midnight and not between two pages. */
export const DAYS = 30

/** An entry of an index: the key of a delivery, and its place in the list. */
interface Listed {
  readonly key: Key
  readonly at: string
}

/** A cursor may name any place, but nothing outside of the span is read. */
const behind = (span: Span, at: string): Span => {
  const { from, to, isAscending } = span
  const isBefore = isAscending ? at < from : at > to
  const isAfter = isAscending ? at > to : at < from
  if (isBefore) return span
  if (isAfter) return { from: to, to: from, isAscending }
  return isAscending ? { ...span, from: besideListed(at, 1) } : { ...span, to: besideListed(at, -1) }
}

const Entry = v.object({ pk: v.string(), sk: v.string() })

const LogEntry = v.object({ ...Entry.entries, owner_block: v.string(), position: v.number() })

/** All deliveries of an owner. The index knows the time of an event, but no order of events of the same instant. */
const logIndex = (owner: number): ListIndex<Listed> => ({
  behind,
  read: async (list, span, most, start) => {
    const pageFrom = (begin: typeof start) =>
      query(LogEntry, {
        IndexName: 'by_owner',
        KeyConditionExpression: 'owner_block = :list AND #position BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#position': 'position' },
        ExpressionAttributeValues: { ':list': list, ':from': parseListedAt(span.from).time, ':to': parseListedAt(span.to).time },
        ScanIndexForward: span.isAscending,
        Limit: most,
        ...(begin && { ExclusiveStartKey: begin }),
      })
    let { items, next } = await pageFrom(start)
    // More events of the last instant may follow. Events of one instant are sorted here, so all of them are read together.
    while (next && items.at(0)?.position === items.at(-1)?.position) {
      const page = await pageFrom(next)
      items = [...items, ...page.items]
      next = page.next
    }
    const last = next && items.at(-1)?.position
    const whole = items.filter(({ position }) => position !== last)
    const found = whole
      .map(({ pk, sk }) => ({ key: { pk, sk }, at: placeInList(parseDeliveryKey({ pk, sk }), owner) }))
      .filter(({ at }) => span.from <= at && at <= span.to)
      .sort((one, other) => (one.at < other.at === span.isAscending ? -1 : 1))
    return { found, next: next && whole.at(-1) }
  },
})

const FailedEntry = v.object({ ...Entry.entries, due_at: v.string() })

const FAILED_INDEX: ListIndex<Listed> = {
  behind,
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

/** Whether a cursor of a list of deliveries may name this place. */
export const isPlaceOfDelivery = (at: string): boolean => {
  try {
    const { tie } = parseListedAt(at)
    return tie > 0 && tie < LAST_TIE
  } catch {
    return false
  }
}

const startOf = (day: Instant): Instant => Math.floor(day / DAY) * DAY

/** The deliveries with these keys, in this order. */
const deliveriesAt = async (keys: readonly Key[]): Promise<Delivery[]> => {
  const found = await batchGet(v.object({ ...Delivery.entries, pk: v.string(), sk: v.string() }), keys, { consistent: true })
  const bySk = new Map(found.map((item) => [`${item.pk} ${item.sk}`, item]))
  return keys.flatMap(({ pk, sk }) => bySk.get(`${pk} ${sk}`) ?? [])
}

interface DeliveryPage {
  readonly count: number
  readonly next: Neighbour
  readonly previous: Neighbour
  readonly deliveries: readonly Delivery[]
}

/** A page of a list of deliveries: its size, and where it begins, or its number among the counted deliveries. */
export interface PageAsked {
  readonly size: number
  readonly place: Cursor | number | 'last'
}

/**
 * The days between two places, in groups of 1, 2, 4 and so on: a page of a busy subscription reads one day, and a quiet one needs few steps.
 */
const groupsOfDays =
  (subscription: number): Groups =>
  ({ from, to, isAscending }) => {
    const [first, last] = [startOf(parseListedAt(from).time), startOf(parseListedAt(to).time)]
    const newestFirst = Array.from({ length: (last - first) / DAY + 1 }, (_, index) => last - index * DAY)
    const days = isAscending ? newestFirst.toReversed() : newestFirst
    const groups: string[][] = []
    for (let start = 0, size = 1; start < days.length; start += size, size = start + 1) {
      groups.push(days.slice(start, start + size).flatMap((day) => deliveryListsOf(subscription, day)))
    }
    return groups
  }

type Logged = Pick<Subscription, 'id' | 'owner' | 'created_time'>

/** A page of a subscription's deliveries, the newest event first. Its cost depends on the page, but not on the number of deliveries. */
export const pageOfLog = async ({ id, owner, created_time }: Logged, until: Instant, asked: PageAsked): Promise<DeliveryPage> => {
  const { size, place } = asked
  // An event can be slightly older than a subscription that receives it.
  const since = Math.max(startOf(created_time) - DAY, startOf(until) - DAYS * DAY)
  const span = { ...listedBetween(since, startOf(until) + DAY - 1, owner), isAscending: false }
  const { entries, ...page } = await pageOfLists({ index: logIndex(owner), groups: groupsOfDays(id), span, size }, place)
  return { ...page, deliveries: await deliveriesAt(entries.map(({ key }) => key)) }
}

/**
 * A page of the deliveries that the service has given up, the newest event first. The index lags behind the table, so a delivery that was
 * resent a moment ago is left out.
 */
export const pageOfFailed = async ({ id, owner }: Logged, until: Instant, { size, place }: PageAsked): Promise<DeliveryPage> => {
  const span = { ...listedBetween(startOf(until) - DAYS * DAY, until, owner), isAscending: false }
  const { entries, ...page } = await pageOfLists({ index: FAILED_INDEX, groups: () => [failedKeys(id)], span, size }, place)
  const deliveries = await deliveriesAt(entries.map(({ key }) => key))
  return { ...page, deliveries: deliveries.filter(({ status }) => status === 'failed') }
}
