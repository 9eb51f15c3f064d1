import type { Instant } from '../../schema/values.ts'
import type { Delivery, Subscription } from '../../schema/webhook.ts'
import { DAY } from '../durations.ts'
import type { Answer, Standing } from './after-attempt.ts'

/** After so long with nothing but failures a subscription is disabled. */
const PATIENCE = 5 * DAY

const GONE = 'The destination answered 410: it is gone for good.'
const GIVEN_UP = 'Nothing but failures came of it for five days.'

/** What an attempt means for its subscription. */
export type Consequence = { readonly kind: 'none' | 'well_again' | 'failing' } | { readonly kind: 'disabled'; readonly reason: string }

/**
 * What an attempt means for its subscription. A first attempt alone means nothing: whether the destination fails or stumbled,
 * the second one tells, seconds later. So a success costs a write only when failures went before it. Nor does one that was not made for a
 * reason of ours.
 */
export const consequenceOf = (
  { failing_since }: Pick<Subscription, 'failing_since'>,
  { attempts }: Pick<Delivery, 'attempts'>,
  { status, blameless }: Pick<Standing, 'status'> & Pick<Answer, 'blameless'>,
  now: Instant,
): Consequence => {
  if (blameless) return { kind: 'none' }
  if (status === 'delivered') return { kind: failing_since === null ? 'none' : 'well_again' }
  if (status === 'disabled') return { kind: 'disabled', reason: GONE }
  if (failing_since !== null) return now - failing_since >= PATIENCE ? { kind: 'disabled', reason: GIVEN_UP } : { kind: 'none' }
  return { kind: attempts.length > 0 || status === 'failed' ? 'failing' : 'none' }
}
