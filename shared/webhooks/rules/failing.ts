import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Delivery, Subscription } from '../webhook.ts'
import type { AttemptAnswer, DeliveryState } from './after-attempt.ts'

/** After so long with nothing but failures a subscription is disabled. */
export const DISABLED_AFTER = 5 * DAY

const GONE = 410

/** What the subscription was like when the attempt was begun. */
type Seen = Pick<Subscription, 'failing_since' | 'enabled_time'>

/** What an attempt means for its subscription. One is disabled only while it is `asSeen`. */
export type Consequence =
  | { readonly kind: 'none' | 'well_again' | 'failing' }
  | { readonly kind: 'disabled'; readonly reason: string; readonly asSeen: Partial<Seen> }

/**
 * What an attempt means for its subscription. A first attempt alone means nothing: whether the destination fails or stumbled,
 * the second one tells, seconds later. So a success costs a write only when failures went before it. Nor does one that was not made for a
 * reason of ours. What happened while it was made counts for more: neither is a subscription disabled that has succeeded by then, nor
 * one that its customer has enabled.
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
  if (now - failing_since < DISABLED_AFTER) return { kind: 'none' }
  return { kind: 'disabled', reason: 'Nothing but failures came of it for five days.', asSeen: { failing_since } }
}
