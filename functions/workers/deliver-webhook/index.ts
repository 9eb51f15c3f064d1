import { now } from '#shared/adapters/clock.ts'
import { setting } from '#shared/adapters/environment.ts'
import { logger } from '#shared/adapters/logger.ts'
import { consume } from '#shared/adapters/queue-consumer.ts'
import { send } from '#shared/adapters/queues.ts'
import { sendWebhook } from '#shared/adapters/webhook-sender.ts'
import { type Answer, afterAttempt } from '#shared/domain/webhooks/after-attempt.ts'
import { signingSecrets } from '#shared/domain/webhooks/secrets.ts'
import { resolveUrl } from '#shared/domain/webhooks/url-template.ts'
import { DeliveryMessage } from '#shared/schema/messages.ts'
import type { Delivery, Subscription } from '#shared/schema/webhook.ts'
import { claimAttempt, getDelivery, settleAttempt } from '#shared/storage/deliveries.ts'
import { disableSubscription, getSubscription } from '#shared/storage/subscriptions.ts'
import { getUser } from '#shared/storage/users.ts'
import { openedHeaders, UNOPENED } from './opened-headers.ts'

/** A message this much ahead of its attempt is on time; for one that is earlier another one comes. */
const EARLY_MS = 1_000

/** Longer than an attempt can last, shorter than a message whose function died stays hidden. */
const CLAIM_MS = 30_000

/** A queue holds messages back no longer than this; the sweep sends those that are due later. */
const LONGEST_QUEUE_DELAY_SECONDS = 900

const notSent = (error: string, hopeless: boolean): Answer => ({
  ...{ status_code: null, duration_ms: 0, error, response_body: null, retryAfter: null },
  hopeless,
})

const attempt = async (delivery: Delivery, subscription: Subscription, secrets: readonly string[]): Promise<Answer> => {
  const resolved = resolveUrl(subscription.url, JSON.parse(delivery.payload))
  if ('error' in resolved) return notSent(resolved.error, true)
  const headers = await openedHeaders(subscription)
  if (!headers) return notSent(UNOPENED, false)
  const { event_id: eventId, payload } = delivery
  return sendWebhook({ url: resolved.url, method: subscription.method, eventId, payload, secrets, headers })
}

/**
 * Sent before the attempt is written down: a crash between the two repeats the attempt, the other way round it would end
 * the retries until the sweep comes by.
 */
const sendNext = async (message: DeliveryMessage, due: number): Promise<void> => {
  const delaySeconds = Math.max(0, Math.ceil((due - now()) / 1000))
  if (delaySeconds > LONGEST_QUEUE_DELAY_SECONDS) return
  await send(setting('DELIVERY_QUEUE_URL'), [{ body: message, group: String(message.owner), delaySeconds }])
}

/**
 * First attempts are not claimed, which would cost a write of the whole item for each delivery: one that is made twice
 * reaches the destination twice under the same id, and is counted once.
 */
const isMine = async (delivery: Delivery): Promise<boolean> => {
  if ((delivery.next_attempt_time ?? 0) > now() + EARLY_MS) return false
  return delivery.attempts.length === 0 || claimAttempt(delivery, now() + CLAIM_MS)
}

const deliver = async (message: DeliveryMessage): Promise<void> => {
  const { owner, subscription: id, delivery_id } = message
  const [delivery, subscription, user] = await Promise.all([getDelivery(delivery_id), getSubscription(owner, id), getUser(owner)])
  if (delivery?.status !== 'pending') return
  if (!subscription?.enabled || !user) return void (await settleAttempt(delivery, [], { status: 'disabled' }))
  if (!(await isMine(delivery))) return

  const time = now()
  const { retryAfter, hopeless, ...answer } = await attempt(delivery, subscription, signingSecrets(user, time))
  const standing = afterAttempt(delivery.attempts.length + 1, { ...answer, retryAfter, hopeless }, now(), Math.random())
  if (standing.status !== 'delivered') {
    logger.warn('A webhook was not delivered.', {
      delivery_id,
      status: standing.status,
      status_code: answer.status_code,
      error: answer.error,
    })
  }
  if (standing.status === 'disabled') await disableSubscription(owner, id)
  if (standing.status === 'pending') await sendNext(message, standing.next_attempt_time)
  await settleAttempt(delivery, [{ time, ...answer }], standing)
}

/** Each delivery to its destination; its failures are on its log. */
export const handler = consume(DeliveryMessage, deliver)
