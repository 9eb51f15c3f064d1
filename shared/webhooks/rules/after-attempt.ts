import { DAY, HOUR, MINUTE, SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Delivery, DeliveryAttempt } from '../webhook.ts'

/** Most attempts of a delivery, including resends. All of them are stored in one item of limited size. */
export const MOST_ATTEMPTS = 40

/** Milliseconds before the 2nd, 3rd, … attempt. */
export const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** Milliseconds. The longest wait that a destination may ask for, because deliveries are kept for 30 days. */
export const LONGEST_WAIT = DAY

export const JITTER = 0.1

/**
 * Milliseconds until the next attempt after `made` of them (1 or more); undefined after the last one.
 * `chance` (0 to 1) spreads the attempts of many deliveries over ±10 %.
 * `asked`: milliseconds that the destination asks us to wait. More than a day counts as a day.
 */
export const retryDelay = (made: number, chance: number, asked = 0): number | undefined => {
  const delay = DELAYS[made - 1]
  if (delay === undefined) return undefined
  const spread = Math.round(delay * (1 - JITTER + 2 * JITTER * chance))
  return Math.max(spread, Math.min(asked, LONGEST_WAIT))
}

/** Milliseconds that a Retry-After header asks for: seconds, or a date relative to `at`. Undefined when it is neither. */
export const parseRetryAfter = (header: string, at: number): number | undefined => {
  const text = header.trim()
  if (/^\d+$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - at)
}

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

/** The log's text for an attempt whose run ended early. The destination may or may not have got the request. */
export const CUT_SHORT = 'The service was interrupted. It may not have sent this request.'

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

/**
 * Whether this minute's sweep resends a delivery that has been overdue for this long.
 * Its message may be lost. It may also wait in a long queue, which more messages would make longer. The sweep sends each minute at first,
 * then less and less often.
 */
export const isSweepToSendAgain = (overdueFor: number): boolean => {
  const minutes = Math.floor(overdueFor / MINUTE)
  const interval = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, minutes))) - 2)
  return minutes % interval === 0
}
