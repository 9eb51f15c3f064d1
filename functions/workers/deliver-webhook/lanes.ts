import { now } from '#shared/adapters/clock.ts'
import { SECOND } from '#shared/domain/durations.ts'
import type { Answer } from '#shared/domain/webhooks/after-attempt.ts'
import { areSlow, nextWait, QUICK_ENOUGH, type RecentAttempt, recentAttempts, SLOW_AFTER } from '#shared/domain/webhooks/pace.ts'
import { sendBySlowLane } from '#shared/operations/deliveries.ts'
import type { DeliveryMessage } from '#shared/schema/messages.ts'
import type { Delivery, Subscription } from '#shared/schema/webhook.ts'
import { deferAttempt } from '#shared/storage/deliveries.ts'
import { forgetPace, noteAnswer, noteSilence } from '#shared/storage/paces.ts'
import { markSlow, unmarkSlow } from '#shared/storage/subscriptions.ts'

/**
 * Has a delivery ask again later for its turn at a slow destination. The message about a fresh one just goes on; one that is in the list
 * of what is due is moved there, for the sweep to leave it alone, by one of the messages about it.
 */
export const askAgain = async (message: DeliveryMessage, listed?: Delivery): Promise<void> => {
  const waited = nextWait(message.waited ?? 0, Math.random())
  if (listed && !(await deferAttempt(listed, now() + waited * SECOND))) return
  await sendBySlowLane([{ ...message, waited }], waited)
}

/** How each destination answered those who ran in this place before, by its subscription, the one that was asked last at the end. */
const recent = new Map<number, readonly RecentAttempt[]>()
const MOST_REMEMBERED = 1_000

const remember = (id: number, attempts: readonly RecentAttempt[]): void => {
  recent.delete(id)
  recent.set(id, attempts)
  const [oldest = id] = recent.keys()
  if (recent.size > MOST_REMEMBERED) recent.delete(oldest)
}

/**
 * Marks a destination as slow when several of its recent attempts were. Each place that functions run in knows of its own alone: so this
 * costs nothing as long as destinations are quick, and one that many deliveries go to is soon marked.
 */
const judge = async ({ owner, id }: Subscription, wasSlow: boolean): Promise<void> => {
  const attempts = recentAttempts(recent.get(id) ?? [], { time: now(), wasSlow })
  remember(id, areSlow(attempts) ? [] : attempts)
  if (areSlow(attempts)) await markSlow(owner, id, now())
}

/** Notes how a destination answered. One that is slow is so no more after a few quick answers. */
export const notePace = async (subscription: Subscription, { status_code, duration_ms }: Answer, isGivenUp: boolean): Promise<void> => {
  const { owner, id, slow_since } = subscription
  const isQuick = !isGivenUp && duration_ms < SLOW_AFTER
  if (slow_since === null) return judge(subscription, !isQuick)
  if (status_code === null && !isQuick) return noteSilence(id, duration_ms, now())
  const quick = await noteAnswer(id, duration_ms, isQuick, now())
  if (quick < QUICK_ENOUGH) return
  await unmarkSlow(owner, id)
  await forgetPace(id)
}
