import { DAY, MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Throttle } from '../configuration.ts'

/** A payment counts a block of requests in advance. About 30 blocks use up an allowance, so the time of a payment matters little. */
const BLOCKS = 30
const MAX_BLOCK = 100

/** Paid requests in the minute and the UTC day of the last payment. Windows are counted from 1970. */
export interface Account {
  readonly minute: number
  readonly minute_used: number
  readonly day: number
  readonly day_used: number
}

export type Payment =
  | { readonly paid: true; readonly block: number; readonly account: Account }
  /** `at`: when the used-up window ends. */
  | { readonly paid: false; readonly at: Instant }

/** Requests per payment: 1 to 100; 20 at 600 a minute. */
export const blockSize = ({ sustained_per_day, burst_per_minute }: Throttle): number =>
  Math.min(MAX_BLOCK, Math.max(1, Math.floor(Math.min(sustained_per_day, burst_per_minute) / BLOCKS)))

/**
 * Requests that a new payer may let through before its first payment: 0 to a block less one.
 * Drawn at random (`random`: 0 to 1, 1 excluded). On average, many payers with one request each pay for exactly what they let through.
 */
export const firstCredit = (allowance: Throttle, random: number): number => Math.floor(random * blockSize(allowance))

/** Accepts the last writer's window when its clock is one window ahead. */
const windowOf = (last: number | undefined, now: number): number => (last === now + 1 ? last : now)

/** Counts a block of requests against an allowance in advance, or its last requests. `account`: undefined before the first payment. */
export const pay = (account: Account | undefined, allowance: Throttle, now: Instant): Payment => {
  const minute = windowOf(account?.minute, Math.floor(now / MINUTE))
  const day = windowOf(account?.day, Math.floor(now / DAY))
  const minuteUsed = account?.minute === minute ? account.minute_used : 0
  const dayUsed = account?.day === day ? account.day_used : 0
  if (dayUsed >= allowance.sustained_per_day) return { paid: false, at: (day + 1) * DAY }
  if (minuteUsed >= allowance.burst_per_minute) return { paid: false, at: (minute + 1) * MINUTE }
  const block = Math.min(blockSize(allowance), allowance.burst_per_minute - minuteUsed, allowance.sustained_per_day - dayUsed)
  return { paid: true, block, account: { minute, minute_used: minuteUsed + block, day, day_used: dayUsed + block } }
}
