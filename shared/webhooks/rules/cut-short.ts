import type { Instant } from '../../platform/values/values.ts'
import type { Delivery, DeliveryAttempt } from '../webhook.ts'

/** The log's text for an attempt whose run ended early. The destination may or may not have got the request. */
export const CUT_SHORT = 'The delivery run ended before an answer came.'

/** How often a queue message was received, and when first. */
export interface Receipt {
  /** Counts the current receipt too. */
  readonly times: number
  readonly first: Instant
}

/**
 * The attempt that an earlier run may have begun and did not finish; undefined when there is none.
 * A first attempt shows this by a message that was received before, all others by `begun_time`. This way a quick delivery costs no
 * additional write.
 */
export const cutShort = (
  { attempts, begun_time }: Pick<Delivery, 'attempts' | 'begun_time'>,
  { times, first }: Receipt,
): DeliveryAttempt | undefined => {
  const began = begun_time ?? (attempts.length === 0 && times > 1 ? first : null)
  return began === null ? undefined : { time: began, status_code: null, duration_ms: 0, error: CUT_SHORT, response_body: null }
}
