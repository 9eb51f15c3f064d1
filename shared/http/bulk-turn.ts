import { realNow } from '../platform/clock.ts'
import { bulkSlotsKey } from '../platform/keys.ts'
import { forOwner } from '../platform/table/busy.ts'
import { inSlot } from '../platform/table/slots.ts'
import { SECOND, secondsUntil } from '../platform/values/durations.ts'
import { throttled } from '../platform/values/errors.ts'

/** Milliseconds. Longer than any route's function runs. */
const HELD = 30 * SECOND

/** Most concurrent bulk requests of one user. */
export const MOST_BULKS = 4

/** Requests with at most this many items take about a second, like single ones. They take no slot. */
export const UNCOUNTED_ITEMS = 25

/**
 * Runs a user's bulk request, unless too many of the user's run already. A slot costs two writes; the items cost hundreds.
 * @throws ServiceError `throttled`
 */
export const inBulkTurn = <T>(user: number, items: number, run: () => Promise<T>): Promise<T> =>
  forOwner(user, async () => {
    if (items <= UNCOUNTED_ITEMS) return run()
    return inSlot<T>({ key: bulkSlotsKey(user), most: MOST_BULKS, held: HELD, now: realNow }, run, (freeAt) => {
      throw throttled(Math.max(1, secondsUntil(freeAt, realNow())))
    })
  })
