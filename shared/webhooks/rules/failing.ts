import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Delivery, Subscription } from '../webhook.ts'
import type { AttemptAnswer, DeliveryState } from './after-attempt.ts'

/** Milliseconds of failures without a success, after which a subscription is disabled. */
export const DISABLED_AFTER = 5 * DAY

const GONE = 410

/** The subscription as it was when the attempt began. */
type Seen = Pick<Subscription, 'failing_since' | 'enabled_time'>

/** A change that an attempt makes to its subscription. It is disabled only while it still matches `asSeen`. */
export type Consequence =
  | { readonly kind: 'none' | 'well_again' | 'failing' }
  | { readonly kind: 'disabled'; readonly reason: string; readonly asSeen: Partial<Seen> }

/**
 * Decides how an attempt changes its subscription. A failed first attempt changes nothing, because the second one follows within seconds
 * and decides. A success then costs a write only after earlier failures. An attempt that we did not send changes nothing either. Only a
 * delivery that failed for good disables the subscription: a short failure after a time without events is no proof of five days of them.
 * `asSeen` guards a race: a subscription that succeeded or was enabled during the attempt is not disabled.
 */
export const consequenceOf = (
  { failing_since, enabled_time }: Seen,
  { attempts }: Pick<Delivery, 'attempts'>,
  { status, status_code, blameless }: Pick<DeliveryState, 'status'> & Pick<AttemptAnswer, 'status_code' | 'blameless'>,
  now: Instant,
): Consequence => {
  if (blameless) return { kind: 'none' }
  if (status === 'delivered') return { kind: failing_since === null ? 'none' : 'well_again' }
  if (status_code === GONE) {
    return { kind: 'disabled', reason: 'The destination answered 410: it is gone for good.', asSeen: { enabled_time } }
  }
  if (failing_since === null) return { kind: attempts.length > 0 || status === 'failed' ? 'failing' : 'none' }
  if (status !== 'failed' || now - failing_since < DISABLED_AFTER) return { kind: 'none' }
  return { kind: 'disabled', reason: 'All attempts failed for five days.', asSeen: { failing_since } }
}
