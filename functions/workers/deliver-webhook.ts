import type { Context } from 'aws-lambda'
import { getUser } from '#shared/accounts/user-store.ts'
import { now, realNow } from '#shared/platform/clock.ts'
import { logger } from '#shared/platform/logger.ts'
import { measure } from '#shared/platform/metrics.ts'
import { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { consume } from '#shared/platform/queues/queue-consumer.ts'
import type { QueueRecord } from '#shared/platform/queues/queue-records.ts'
import { forOwner, onceNotBusy } from '#shared/platform/table/busy.ts'
import { newBusyPace } from '#shared/platform/table/busy-pace.ts'
import { shareLoads } from '#shared/platform/table/share-loads.ts'
import { SECOND, secondsUntil } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { begin, noteBegun, receiptOf } from '#shared/webhooks/begin-attempt.ts'
import { sendByFastLane, sendBySlowLane } from '#shared/webhooks/deliveries.ts'
import { getDelivery, recordAttempt } from '#shared/webhooks/delivery-store.ts'
import { deferToSlowLane, furtherDeliveries, paced } from '#shared/webhooks/lanes.ts'
import { recordMadeAttempt } from '#shared/webhooks/made-attempt.ts'
import { takeSendTurn } from '#shared/webhooks/pace-store.ts'
import { type AttemptAnswer, afterAttempt, type DeliveryState } from '#shared/webhooks/rules/after-attempt.ts'
import { type Consequence, consequenceOf } from '#shared/webhooks/rules/failing.ts'
import { notedUrl } from '#shared/webhooks/rules/noted-url.ts'
import { signingSecrets } from '#shared/webhooks/rules/secrets.ts'
import { disableSubscription, getSubscription, noteFailing, noteFailingDaily, noteWellAgain } from '#shared/webhooks/subscription-store.ts'
import type { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import { prepare, sendWebhook } from '#shared/webhooks/webhook-sender.ts'

/** A message that is early by up to this much counts as on time. If it is earlier, another message is sent for the delivery. */
const EARLY_MS = 1_000

/** A queue delays messages no longer than this. The sweep sends those that are due later. */
const LONGEST_QUEUE_DELAY_SECONDS = 900

/** The deliveries of a batch begin together, so those of one subscription share a read of it. */
const readSubscription = shareLoads((key: `${number}#${number}`) => {
  const [owner = 0, id = 0] = key.split('#').map(Number)
  return getSubscription(owner, id)
})

/** Paces attempts, since each one is recorded. They give way to calls, but not to files and bulk requests. */
const takeAttemptTurn = newBusyPace({ start: 200, least: 2, most: 200, kept: 0.5 })

/** How long a message waits for its turn: too short to count as slow. */
const TURN_PATIENCE = SECOND
/** Seconds until a message without a turn comes back. */
const LATER = 30

/** Sends a message by the lane in which it came. */
const sendAgain = (message: DeliveryMessage, delaySeconds: number): Promise<void> =>
  message.waited === undefined ? sendByFastLane([message], delaySeconds) : sendBySlowLane([message], delaySeconds)

/** Not a failure: a message that fails looks like an attempt that was cut short. */
const sendLater = (message: DeliveryMessage): Promise<void> => sendAgain(message, Math.ceil(LATER * (1 + Math.random())))

interface Made extends AttemptAnswer {
  readonly time: Instant
}

/** How long to retry a busy table. An attempt without a record would be made again. */
const PATIENCE = 10 * SECOND
/** Leaves enough of a run's time for the last try. */
const MARGIN = 2 * SECOND

type TimeLeft = Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined

const retryWhileBusy = <T>(write: () => Promise<T>, run: TimeLeft): Promise<T> => {
  const left = (run?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - MARGIN
  return onceNotBusy(realNow() + Math.min(PATIENCE, left), write)
}

/**
 * Sends the next message before the attempt is recorded: a crash between the two repeats the attempt. In the other order, a crash would
 * stop the retries until the next sweep.
 */
const sendNext = async (message: DeliveryMessage, due: number): Promise<void> => {
  const delaySeconds = secondsUntil(due, now())
  if (delaySeconds > LONGEST_QUEUE_DELAY_SECONDS) return
  const { fresh: _, ...again } = message
  // The time that this attempt waited in the slow lane does not count for the next one.
  await sendAgain(again.waited === undefined ? again : { ...again, waited: 0 }, delaySeconds)
}

/** An untried fresh delivery is always due: the writer's clock may be ahead, and no other message will come. */
const isDue = ({ next_attempt_time, attempts, begun_time }: Delivery, { fresh }: DeliveryMessage): boolean =>
  (fresh === true && attempts.length === 0 && begun_time === null) || (next_attempt_time ?? 0) <= now() + EARLY_MS

/**
 * Applies an attempt's consequence to the subscription, before the attempt is recorded: a crash between the two repeats it.
 * @returns why the subscription was disabled; null when it was not
 */
const drawConsequence = async (subscription: Subscription, consequence: Consequence): Promise<string | null> => {
  const { owner, id, url } = subscription
  if (consequence.kind === 'well_again') await noteWellAgain(owner, id)
  if (consequence.kind === 'failing') await noteFailing(subscription, now())
  if (consequence.kind === 'failing_daily') await noteFailingDaily(subscription, consequence.daily, consequence.asSeen)
  if (consequence.kind !== 'disabled') return null
  const { reason, asSeen } = consequence
  if (!(await disableSubscription(owner, id, { reason, at: now() }, { url, ...asSeen }))) return null
  logger.warn('A subscription is disabled.', { subscription: id, reason })
  return reason
}

/** Records the attempt with its result, after its consequence for the subscription. */
const finishAttempt = async (
  message: DeliveryMessage,
  delivery: Delivery,
  subscription: Subscription,
  made: Made,
  run: TimeLeft,
): Promise<void> => {
  const { time, retryAfter, hopeless, blameless, ...answer } = made
  const count = delivery.attempts.length - delivery.earlier_attempts + 1
  const reached = afterAttempt(count, made, now(), Math.random())
  const consequence = consequenceOf(subscription, delivery, { ...made, ...reached }, now())
  const disabledFor = await retryWhileBusy(() => drawConsequence(subscription, consequence), run)
  const state: DeliveryState = disabledFor === null ? reached : { status: 'disabled' }
  const error = disabledFor === null ? answer.error : `${answer.error ?? ''} The subscription is disabled: ${disabledFor}`.trim()
  if (state.status !== 'delivered') {
    const { delivery_id } = delivery
    const next_attempt_time = state.status === 'pending' ? new Date(state.next_attempt_time).toISOString() : null
    const named = { webhook: subscription.id, delivery_id }
    logger.warn('A webhook was not delivered.', { ...named, ...state, next_attempt_time, status_code: answer.status_code, error })
  }
  measure(`deliveries_${state.status}`)
  if (state.status === 'pending') await sendNext(message, state.next_attempt_time)
  await retryWhileBusy(() => recordMadeAttempt(delivery, { time, ...answer, error, ...notedUrl(subscription) }, state), run)
}

const deliver = async (message: DeliveryMessage, record: QueueRecord, run: TimeLeft): Promise<void> => {
  const { owner, subscription: id, delivery_id, fresh, waited } = message
  const isFast = waited === undefined
  const subscription = await readSubscription(`${owner}#${id}`)
  const isSlow = subscription?.enabled === true && subscription.slow_since !== null
  if (isSlow && isFast) return sendBySlowLane([message])
  if (!(await takeAttemptTurn(realNow() + TURN_PATIENCE))) return sendLater(message)
  // Check this before the delivery is read: most waiting deliveries need no read.
  if (isSlow && fresh && !(await takeSendTurn(id, now()))) return deferToSlowLane(message)
  const [found, user] = await Promise.all([getDelivery(delivery_id), getUser(owner)])
  if (found?.status !== 'pending') return
  if (!subscription?.enabled || !user) return void (await recordAttempt(found, [], { status: 'disabled' }))
  if (!isDue(found, message)) return
  if (isSlow && !fresh && !(await takeSendTurn(id, now()))) return deferToSlowLane(message, found)
  const begun = await begin(found, subscription, receiptOf(record))
  if (begun === undefined) return
  const { delivery, time } = begun

  // Prepare before the time of the destination is measured: a slow key service must not make a destination count as slow.
  const prepared = await prepare(delivery, subscription)
  if ('unsent' in prepared) return finishAttempt(message, delivery, subscription, { time, ...prepared.unsent }, run)
  const { event_id: eventId, payload } = delivery
  const secrets = signingSecrets(user, time)
  const request = { ...prepared, method: subscription.method, eventId, payload, secrets }
  const answer = await paced(
    subscription,
    () => sendWebhook(request),
    () => noteBegun(delivery, time),
  )
  measure('delivery_duration', answer.duration_ms)
  await finishAttempt(message, delivery, subscription, { time, ...answer }, run)
}

/** Makes delivery attempts. Failures are recorded in the delivery log. */
export const handler = consume(
  DeliveryMessage,
  (message, record, run) => forOwner(message.owner, () => deliver(message, record, run)),
  furtherDeliveries,
)
