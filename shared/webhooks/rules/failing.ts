import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Delivery, Subscription } from '../webhook.ts'
import type { AttemptAnswer, DeliveryState } from './after-attempt.ts'

/** Milliseconds of failures without a success, after which a subscription is disabled. */
export const DISABLED_AFTER = 5 * DAY

const GONE = 410

/** The subscription as it was when the attempt began. */
type Seen = Pick<Subscription, 'failing_since' | 'daily_failures' | 'slow_since' | 'enabled_time'>

type DailyFailures = NonNullable<Subscription['daily_failures']>

/** A change that an attempt makes to its subscription, only while it still matches `asSeen`. */
export type Consequence =
  | { readonly kind: 'none' | 'well_again' | 'failing' }
  | { readonly kind: 'failing_daily'; readonly daily: DailyFailures; readonly asSeen: Pick<Seen, 'failing_since'> }
  | { readonly kind: 'disabled'; readonly reason: string; readonly asSeen: Partial<Pick<Seen, 'failing_since' | 'enabled_time'>> }

const dayOf = (time: Instant, { since }: DailyFailures): number => Math.floor((time - since) / DAY)

/** The days of failures up to one that happens now. Its days begin at the time of the first failure. A day without one restarts them. */
const dailyFailures = ({ daily_failures: seen }: Seen, failingSince: Instant, now: Instant): DailyFailures => {
  // A version that does not know this field clears only `failing_since`.
  if (seen === null || seen.since < failingSince) return { since: now, last: now }
  const [day, last] = [dayOf(now, seen), dayOf(seen.last, seen)]
  if (day <= last) return seen
  return day === last + 1 ? { since: seen.since, last: now } : { since: now, last: now }
}

/**
 * Decides how an attempt changes its subscription. A failed first attempt does not make it failing, because the second one follows within
 * seconds and decides. A success then costs a write only after earlier failures. In the slow lane, the second one may come much later, so
 * there the first one counts. An attempt that we did not send changes nothing either.
 *
 * After five days, a failure disables the subscription only if a delivery failed for good, or if attempts failed on each of these days: a
 * short failure after a time without events is no proof of five days of them. A busy dead destination gets too few attempts for any of its
 * deliveries to reach the last one. `asSeen` guards a race: a subscription that succeeded or was enabled during the attempt is not disabled.
 */
export const consequenceOf = (
  seen: Seen,
  { attempts }: Pick<Delivery, 'attempts'>,
  { status, status_code, blameless }: Pick<DeliveryState, 'status'> & Pick<AttemptAnswer, 'status_code' | 'blameless'>,
  now: Instant,
): Consequence => {
  const { failing_since, enabled_time, slow_since } = seen
  if (blameless) return { kind: 'none' }
  if (status === 'delivered') return { kind: failing_since === null ? 'none' : 'well_again' }
  if (status_code === GONE) {
    return { kind: 'disabled', reason: 'The destination answered 410: it is gone for good.', asSeen: { enabled_time } }
  }
  if (failing_since === null) return { kind: attempts.length > 0 || status === 'failed' || slow_since !== null ? 'failing' : 'none' }
  const daily = dailyFailures(seen, failing_since, now)
  if (now - (status === 'failed' ? failing_since : daily.since) >= DISABLED_AFTER) {
    return { kind: 'disabled', reason: 'All attempts failed for five days.', asSeen: { failing_since } }
  }
  return daily === seen.daily_failures ? { kind: 'none' } : { kind: 'failing_daily', daily, asSeen: { failing_since } }
}
