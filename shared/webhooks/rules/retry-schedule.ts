import { DAY, HOUR, MINUTE, SECOND } from '../../platform/values/durations.ts'

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
