import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '#shared/adapters/clock.ts'
import { loggable, logger } from '#shared/adapters/logger.ts'
import { secondsUntil } from '#shared/domain/durations.ts'
import type { Answer } from '#shared/domain/webhooks/after-attempt.ts'
import { QUICK_ENOUGH, SLOW_AFTER } from '#shared/domain/webhooks/pace.ts'
import { sendBySlowLane } from '#shared/operations/deliveries.ts'
import type { DeliveryMessage } from '#shared/schema/messages.ts'
import type { Delivery, Subscription } from '#shared/schema/webhook.ts'
import { deferAttempt } from '#shared/storage/deliveries.ts'
import { forgetPace, noteAnswer, noteSilence, takeTurn } from '#shared/storage/paces.ts'
import { markSlow, unmarkSlow } from '#shared/storage/subscriptions.ts'

/** Marks a destination as slow. @returns whether another attempt has done so before */
const isKnownToBeSlow = async ({ owner, id }: Subscription): Promise<boolean> => {
  try {
    return !(await markSlow(owner, id, now()))
  } catch (error) {
    logger.warn('A slow destination could not be marked.', { subscription: id, error: loggable(error) })
    return false
  }
}

/**
 * Makes an attempt in the fast lane. When it lasts, the destination is marked as slow; one attempt is let wait, to see what comes
 * of it, and those beside it are given up, to be made again in the slow lane: they would hold what everybody else needs.
 * @returns undefined when it was given up
 */
export const attemptWithinReason = async (
  subscription: Subscription,
  attempt: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | undefined> => {
  const over = new AbortController()
  const aside = new AbortController()
  const watch = async (): Promise<void> => {
    await sleep(SLOW_AFTER, undefined, { signal: over.signal })
    if ((await isKnownToBeSlow(subscription)) && !over.signal.aborted) aside.abort()
  }
  const watched = watch().catch(() => {})
  const answer = await attempt(aside.signal)
  over.abort()
  await watched
  return aside.signal.aborted && answer.status_code === null ? undefined : answer
}

/**
 * Whether the attempt may be made now. At a slow destination each needs its turn: until then it is put off, and nothing waits for
 * it. A delivery that is too far behind asks again later.
 */
export const hasTurn = async (message: DeliveryMessage, delivery: Delivery, { id, slow_since }: Subscription): Promise<boolean> => {
  if (slow_since === null || (delivery.turn !== null && delivery.turn === delivery.next_attempt_time)) return true
  const at = now()
  const turn = await takeTurn(id, at)
  if (turn.at <= at) return true
  if (await deferAttempt(delivery, turn.at, turn.next !== null)) await sendBySlowLane([message], secondsUntil(turn.at, at))
  return false
}

/** Notes how a slow destination answered; after a few quick answers it is slow no more. */
export const notePace = async ({ owner, id }: Subscription, { status_code, duration_ms }: Answer): Promise<void> => {
  const isQuick = duration_ms < SLOW_AFTER
  if (status_code === null && !isQuick) return noteSilence(id, duration_ms, now())
  const quick = await noteAnswer(id, duration_ms, isQuick, now())
  if (quick < QUICK_ENOUGH) return
  await unmarkSlow(owner, id)
  await forgetPace(id)
}
