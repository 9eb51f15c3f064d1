import type { Instant } from '../../platform/values/values.ts'
import type { DeliveryAttempt } from '../webhook.ts'
import { retryDelay } from './retry-schedule.ts'

/** The result of one request to a destination. */
export interface AttemptAnswer extends Omit<DeliveryAttempt, 'time'> {
  /** Milliseconds that the destination asks us to wait. */
  readonly retryAfter: number | null
  /** Another attempt would end the same way. */
  readonly hopeless: boolean
  /** We sent nothing, for a reason on our side. The destination is not to blame. */
  readonly blameless: boolean
}

/** The state of a delivery. A pending one has a next attempt. */
export type DeliveryState =
  | { readonly status: 'delivered' | 'failed' | 'disabled' }
  | { readonly status: 'pending'; readonly next_attempt_time: Instant }

/**
 * The state of a delivery after its attempt number `made` (from 1), which ended at `now`. The subscription stays enabled. `chance`: 0 to 1.
 */
export const afterAttempt = (made: number, answer: AttemptAnswer, now: Instant, chance: number): DeliveryState => {
  const { status_code: code, hopeless, retryAfter } = answer
  if (code !== null && code >= 200 && code < 300) return { status: 'delivered' }
  const delay = hopeless ? undefined : retryDelay(made, chance, retryAfter ?? 0)
  return delay === undefined ? { status: 'failed' } : { status: 'pending', next_attempt_time: now + delay }
}
