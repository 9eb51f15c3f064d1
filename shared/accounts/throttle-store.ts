import * as v from 'valibot'
import { chance } from '../platform/chance.ts'
import { realNow } from '../platform/clock.ts'
import { type Asker, throttleKey } from '../platform/keys.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { MINUTE } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Throttle } from './configuration.ts'
import { type Account, firstCredit, type Payment, pay } from './rules/throttle.ts'

const MAX_TRIES = 30
const MAX_ASKERS = 1000
/** Milliseconds. A raised allowance takes effect within this time. */
const REMEMBERED = MINUTE

const Stored = v.object({ minute: v.number(), minute_used: v.number(), day: v.number(), day_used: v.number() })

/** Adds a payment to the current windows. Concurrent payments do not conflict. @returns false when the windows have no room left */
const addTo = (asker: Asker, { minute, day }: Account, block: number, allowance: Throttle): Promise<boolean> =>
  ifConditionHolds(
    updateItem(throttleKey(asker), {
      UpdateExpression: 'ADD minute_used :block, day_used :block',
      ConditionExpression: '#minute = :minute AND #day = :day AND minute_used <= :minuteRoom AND day_used <= :dayRoom',
      ExpressionAttributeNames: { '#minute': 'minute', '#day': 'day' },
      ExpressionAttributeValues: {
        ':block': block,
        ':minute': minute,
        ':day': day,
        ':minuteRoom': allowance.burst_per_minute - block,
        ':dayRoom': allowance.sustained_per_day - block,
      },
    }),
  )

/** Writes the first payment of a window. @returns false when another payer has paid since the read */
const replace = (asker: Asker, old: Account | undefined, { minute, minute_used, day, day_used }: Account): Promise<boolean> =>
  ifConditionHolds(
    updateItem(throttleKey(asker), {
      UpdateExpression: 'SET #minute = :minute, minute_used = :minuteUsed, #day = :day, day_used = :dayUsed',
      ConditionExpression: old ? '#minute = :oldMinute AND day_used = :oldDayUsed' : 'attribute_not_exists(pk)',
      ExpressionAttributeNames: { '#minute': 'minute', '#day': 'day' },
      ExpressionAttributeValues: {
        ':minute': minute,
        ':minuteUsed': minute_used,
        ':day': day,
        ':dayUsed': day_used,
        ...(old && { ':oldMinute': old.minute, ':oldDayUsed': old.day_used }),
      },
    }),
  )

/** Reads the account before it writes, so that a used-up allowance costs no write. */
const payFor = (asker: Asker, allowance: Throttle, now: Instant): Promise<Payment> =>
  retryRaces<Payment>({ tries: MAX_TRIES, lost: 'Lost the race for the request count of one client', pause: 0 }, async () => {
    const account = await getItem(Stored, throttleKey(asker))
    const payment = pay(account, allowance, now)
    if (!payment.paid) return payment
    const sameWindows = account?.minute === payment.account.minute && account.day === payment.account.day
    const paid = sameWindows ? addTo(asker, account, payment.block, allowance) : replace(asker, account, payment.account)
    return (await paid) ? payment : undefined
  })

interface Purse {
  /** Requests that may be let through before the next payment. */
  credit: number
  /** `at`: when the allowance has room again. `until`: how long this refusal is cached. */
  refused: { readonly at: Instant; readonly until: Instant } | undefined
  paying: Promise<void> | undefined
}

export interface ThrottleOptions {
  /** Epoch milliseconds. */
  readonly now?: () => Instant
  /** 0 to 1, 1 excluded. */
  readonly random?: () => number
}

/**
 * Counts requests of each asker in one sandbox of a function. One write pays for a block of requests. This costs 0.05 write units per
 * request at 600 a minute, and 0.01 from 3,000 on, at any pace. Refused requests cost one read per minute and sandbox.
 * An asker makes at most the allowed requests over any run of windows, plus a small excess. The excess occurs once, and is at most a block
 * less one per sandbox that had credit at the start. That is 19 requests per sandbox at 600 a minute, and none below 60. On average,
 * exactly the allowed requests get through. A sandbox holds at most one paid block that it has not used.
 * @returns a function that lets a request through (undefined), or returns when the next one may pass
 */
export const newThrottle = ({ now = realNow, random = chance }: ThrottleOptions = {}) => {
  const purses = new Map<Asker, Purse>()

  const purseOf = (asker: Asker, allowance: Throttle): Purse => {
    const known = purses.get(asker)
    if (known) return known
    if (purses.size >= MAX_ASKERS) purses.clear()
    const purse: Purse = { credit: firstCredit(allowance, random()), refused: undefined, paying: undefined }
    purses.set(asker, purse)
    return purse
  }

  const fill = async (purse: Purse, asker: Asker, allowance: Throttle): Promise<void> => {
    const payment = await payFor(asker, allowance, now())
    if (payment.paid) purse.credit += payment.block
    else purse.refused = { at: payment.at, until: Math.min(payment.at, now() + REMEMBERED) }
  }

  return async (asker: Asker, allowance: Throttle): Promise<Instant | undefined> => {
    const purse = purseOf(asker, allowance)
    while (purse.credit === 0) {
      if (purse.refused && purse.refused.until > now()) return purse.refused.at
      purse.paying ??= fill(purse, asker, allowance).finally(() => {
        purse.paying = undefined
      })
      await purse.paying
    }
    purse.credit -= 1
    return undefined
  }
}
