import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { deliveryPartsOf } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { measure } from '../platform/metrics.ts'
import type { DeliveryMessage } from '../platform/queues/messages.ts'
import type { Further } from '../platform/queues/queue-consumer.ts'
import { takeRecords } from '../platform/queues/queue-records.ts'
import { DAY, SECOND } from '../platform/values/durations.ts'
import { setLatest } from '../platform/values/latest.ts'
import type { Instant } from '../platform/values/values.ts'
import { sendBySlowLane } from './deliveries.ts'
import { deferAttempt, getDelivery, MESSAGE_KEPT, recordAttempt } from './delivery-store.ts'
import { forgetPace, leftSlowLane, noteAnswer, noteSilence } from './pace-store.ts'
import type { AttemptAnswer } from './rules/after-attempt.ts'
import {
  areSlow,
  CROWDED,
  MOST_OPEN,
  nextWait,
  QUICK_ENOUGH,
  type RecentAttempt,
  recentDeliveryAttempts,
  SLOW_AFTER,
} from './rules/pace.ts'
import { getSubscription, markSlow, unmarkSlow } from './subscription-store.ts'
import type { Delivery, Subscription } from './webhook.ts'

/** Milliseconds to read and write a delivery, in addition to its request. */
const AROUND = 5 * SECOND

const nameOf = (address: string): string | undefined => address.split(/[:/]/).at(-1)

/** While a run waits for slow destinations, it takes further deliveries from the same queue as its batch. */
export const furtherDeliveries = (arn: string): Further | undefined => {
  const lanes = [setting('DELIVERY_QUEUE_URL'), setting('SLOW_DELIVERY_QUEUE_URL')]
  const queueUrl = lanes.find((url) => nameOf(url) === nameOf(arn))
  if (queueUrl === undefined) return undefined
  const leastTime = setting('WEBHOOK_TIMEOUT_MS') + AROUND
  return { queueUrl, slowAfter: SLOW_AFTER, mostOpen: MOST_OPEN, leastTime, take: () => takeRecords(queueUrl) }
}

/** A delivery without a turn is given up this long after its event. The log, which shows 30 days, then lists it as failed for a while. */
const LONGEST_WAITING = 27 * DAY

const TOO_OLD = 'The delivery became too old before its turn at the slow destination came.'

const isTooOld = ({ delivery_id }: DeliveryMessage): boolean => deliveryPartsOf(delivery_id).time + LONGEST_WAITING <= now()

const giveUp = async ({ delivery_id, subscription }: DeliveryMessage, listed?: Delivery): Promise<void> => {
  const delivery = listed ?? (await getDelivery(delivery_id))
  if (delivery?.status !== 'pending') return
  const entry = { time: now(), status_code: null, duration_ms: 0, error: TOO_OLD, response_body: null, url: null }
  if (!(await recordAttempt(delivery, [entry], { status: 'failed' }))) return
  logger.warn('A webhook was not delivered.', { webhook: subscription, delivery_id, status: 'failed', error: TOO_OLD })
  measure('deliveries_failed')
}

/**
 * Makes a delivery ask again later for its turn at a slow destination. The message of a fresh delivery is sent again. A listed delivery is
 * also moved in the due index, so that the sweep leaves it alone; only one of its messages does that.
 */
export const deferToSlowLane = async (message: DeliveryMessage, listed?: Delivery): Promise<void> => {
  if (isTooOld(message)) return giveUp(message, listed)
  const waited = nextWait(message.waited ?? 0, Math.random())
  if (listed && !(await deferAttempt(listed, now() + waited * SECOND))) return
  await sendBySlowLane([{ ...message, waited }], waited)
}

/**
 * Whether the message about a first attempt may wait in the slow lane, however old the delivery is, or has come out of it not long ago. Then
 * nothing else may send a message about the delivery.
 */
export const mayWaitInSlowLane = async ({ owner, subscription: id, attempts }: Delivery, at: Instant): Promise<boolean> => {
  if (attempts.length > 0) return false
  const subscription = await getSubscription(owner, id)
  if (!subscription) return false
  if (subscription.slow_since !== null) return true
  const left = await leftSlowLane(id)
  return left !== null && left > at - MESSAGE_KEPT
}

/** How each destination answered recent attempts of this process, by subscription. The last used one is at the end. */
const recent = new Map<number, readonly RecentAttempt[]>()
const MOST_REMEMBERED = 1_000

/** Slow requests of this process that have no answer yet. */
let slowNow = 0

/**
 * Marks a destination as slow when several of its recent attempts were slow. Also marks it when this one is, and many other requests of
 * this process are slow too. Each process knows only its own attempts: quick destinations cost nothing, and a busy slow one is soon marked.
 */
const judge = async (subscription: Subscription, wasSlow: boolean): Promise<void> => {
  const { id } = subscription
  const attempts = recentDeliveryAttempts(recent.get(id) ?? [], { time: now(), wasSlow })
  const isSlow = areSlow(attempts) || (wasSlow && slowNow >= CROWDED)
  setLatest(recent, id, isSlow ? [] : attempts, MOST_REMEMBERED)
  if (isSlow) await markSlow(subscription, now())
}

/** Logs an error and continues: a failed note about speed must not repeat the attempt. */
const noteSpeed = (note: () => Promise<unknown>): Promise<unknown> =>
  note().catch((error: unknown) => logger.warn('The speed of a destination could not be recorded.', { error: loggable(error) }))

/** Makes an attempt, and calls `then` as soon as it is slow. */
const whenSlow = async (attempt: () => Promise<AttemptAnswer>, then: () => Promise<unknown>): Promise<AttemptAnswer> => {
  let onSlow: Promise<unknown> | undefined
  const timer = setTimeout(() => {
    slowNow++
    onSlow = noteSpeed(then)
  }, SLOW_AFTER)
  try {
    return await attempt()
  } finally {
    clearTimeout(timer)
    if (onSlow !== undefined) slowNow--
    await onSlow
  }
}

/** Records how a slow destination answered. After a few quick answers it is no longer slow. */
const noteAnswered = async ({ owner, id }: Subscription, { status_code, duration_ms }: AttemptAnswer): Promise<void> => {
  const isQuick = duration_ms < SLOW_AFTER
  if (status_code === null && !isQuick) return noteSilence(id, duration_ms, now())
  const quick = await noteAnswer(id, duration_ms, isQuick, now())
  if (quick < QUICK_ENOUGH) return
  await unmarkSlow(owner, id)
  await forgetPace(id, now())
}

/**
 * Makes an attempt, and records how long its destination takes. A slow one is marked while the attempt still runs, so that later deliveries
 * take the other lane.
 */
export const paced = async (
  subscription: Subscription,
  attempt: () => Promise<AttemptAnswer>,
  onSlow: () => Promise<void>,
): Promise<AttemptAnswer> => {
  const isKnown = subscription.slow_since !== null
  let isSlow = false
  const answer = await whenSlow(attempt, async () => {
    isSlow = true
    if (!isKnown) await judge(subscription, true)
    await onSlow()
  })
  if (isKnown) await noteSpeed(() => noteAnswered(subscription, answer))
  else if (!isSlow) await noteSpeed(() => judge(subscription, false))
  return answer
}
