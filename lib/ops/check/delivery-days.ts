import * as v from 'valibot'
import { now } from '#shared/platform/clock.ts'
import { idInPk, type Key, parseDeliveryKey } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { deliveryRecord, storedCountRecord } from './joins/day-counts.ts'

export const DeliveryCount = v.object({ count: v.number() })

/** Milliseconds. The log keeps a month. Older deliveries expire one by one, and their counts no longer match. */
const CHECKED = 28 * DAY

export const recordOfDelivery = (key: Key): string => {
  const { subscription, time } = parseDeliveryKey(key)
  return deliveryRecord({ subscription, day: dayOf(time) })
}

/** The record of a stored final count; none when the day is too long ago. */
export const storedCount = ({ pk, sk }: Key, item: Item): string[] => {
  const { count } = v.parse(DeliveryCount, item)
  return Date.parse(sk) > now() - CHECKED ? [storedCountRecord({ subscription: Number(idInPk(pk)), day: sk, count })] : []
}
