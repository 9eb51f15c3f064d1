import { now, realNow } from '../platform/clock.ts'
import type { QueueRecord } from '../platform/queues/queue-records.ts'
import type { Instant } from '../platform/values/values.ts'
import { claimAfter, claimAttempt, recordAttempt } from './delivery-store.ts'
import { cutShort, MOST_ATTEMPTS, type Receipt } from './rules/after-attempt.ts'
import { notedLostUrl } from './rules/noted-url.ts'
import type { Delivery, Subscription } from './webhook.ts'

/** Longer than an attempt can last. Shorter than the time for which the message of a dead function stays hidden. */
const CLAIM_MS = 30_000

/** How often a message was received, and when first, by the service's clock. */
export const receiptOf = ({ attributes }: QueueRecord): Receipt => ({
  times: Number(attributes.ApproximateReceiveCount),
  first: now() - realNow() + Number(attributes.ApproximateFirstReceiveTimestamp),
})

const claimAt = (begun: Instant) => ({ begun, until: begun + CLAIM_MS })

interface Begun {
  readonly delivery: Delivery
  readonly time: Instant
}

/**
 * Begins the due attempt, and logs an earlier one that was cut short. First attempts are not claimed: a claim would cost each delivery one
 * more write. If two runs make a first attempt, it reaches the destination twice under the same id, and counts once.
 * @returns undefined when another message has taken the attempt, or there were too many attempts
 */
export const begin = async (found: Delivery, subscription: Subscription, receipt: Receipt): Promise<Begun | undefined> => {
  const time = now()
  const unfinished = cutShort(found, receipt)
  if (!unfinished) {
    const isFree = found.attempts.length === 0 || (await claimAttempt(found, claimAt(time)))
    return isFree ? { delivery: found, time } : undefined
  }
  const lost = { ...unfinished, ...notedLostUrl(subscription, unfinished.time) }
  // A delivery that crashes each run must not be retried for ever.
  if (found.attempts.length + 1 >= MOST_ATTEMPTS) return void (await recordAttempt(found, [lost], { status: 'failed' }))
  const delivery = await claimAfter(found, lost, claimAt(time))
  return delivery && { delivery, time }
}

/** Records that a first attempt is under way. The run may end before a slow attempt does: the record shows that it was made. */
export const noteBegun = async (delivery: Delivery, time: Instant): Promise<void> => {
  if (delivery.attempts.length === 0) await claimAttempt(delivery, claimAt(time))
}
