import * as v from 'valibot'
import { deliveryCountKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { deleteItem, putItem, queryAll } from '../platform/table/table.ts'
import { DAY, HOUR } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'

/** Events are told within seconds; what comes later than this after its event has the count of its day forgotten. */
const LATE = DAY
/** What was written before shows in the index by then. */
const SETTLED = HOUR
/** The log looks at no day for longer. */
const KEPT = 33 * DAY

/** Whether a day's deliveries are as many as they will be, but for what comes late. `day`: any instant of it, in UTC. */
export const isDayComplete = (day: Instant, at: Instant): boolean => (Math.floor(day / DAY) + 1) * DAY + LATE + SETTLED <= at

const Count = v.object({ sk: v.string(), count: v.number() })

/** What was counted of a subscription, by day, since an instant. @returns undefined for a day that was not counted */
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

/** Has a day counted anew when a delivery was written `at` an instant that is late for its event. */
export const forgetCountWhenLate = async (subscription: number, event: Instant, at: Instant): Promise<void> => {
  if (at - event > LATE) await forgetCount(subscription, event)
}

/** Has a day counted anew. `day`: any instant of it, in UTC. */
export const forgetCount = async (subscription: number, day: Instant): Promise<void> => {
  await deleteItem(deliveryCountKey(subscription, day))
}
