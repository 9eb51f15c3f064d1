import * as v from 'valibot'
import { deliveryCountKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { deleteItem, putItem, queryAll } from '../platform/table/table.ts'
import { DAY, HOUR } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'

/** Milliseconds. Deliveries normally follow their event within seconds. A later delivery than this deletes the stored count of its day. */
const LATE = DAY
/** Milliseconds. By then, the index shows earlier writes. */
const SETTLED = HOUR
/** Milliseconds. Longer than the log reads a day. */
const KEPT = 33 * DAY

/** Whether a day gets no more deliveries, except late ones. `day`: any instant of it, in UTC. */
export const isDayComplete = (day: Instant, at: Instant): boolean => (Math.floor(day / DAY) + 1) * DAY + LATE + SETTLED <= at

const Count = v.object({ sk: v.string(), count: v.number() })

/** Stored delivery counts of a subscription, by day, since an instant. @returns undefined for a day without a stored count */
export const keptCounts = async (subscription: number, since: Instant): Promise<(day: Instant) => number | undefined> => {
  const { pk, sk } = deliveryCountKey(subscription, since)
  const found = await queryAll(Count, {
    KeyConditionExpression: 'pk = :pk AND sk >= :first',
    ExpressionAttributeValues: { ':pk': pk, ':first': sk },
  })
  const counts = new Map(found.map((item) => [item.sk, item.count]))
  return (day) => counts.get(deliveryCountKey(subscription, day).sk)
}

export const keepCount = (subscription: number, day: Instant, count: number): Promise<void> =>
  putItem({ ...deliveryCountKey(subscription, day), count, expires_at: expiresAt(day, KEPT) })

/** Deletes a day's count, to be counted again, when a delivery written `at` an instant is late for its event. */
export const forgetCountWhenLate = async (subscription: number, event: Instant, at: Instant): Promise<void> => {
  if (at - event > LATE) await forgetCount(subscription, event)
}

/** Deletes a day's count, to be counted again. `day`: any instant of it, in UTC. */
export const forgetCount = async (subscription: number, day: Instant): Promise<void> => {
  await deleteItem(deliveryCountKey(subscription, day))
}
