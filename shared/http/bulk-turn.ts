import { takeBulkSlot } from '../accounts/bulk-slots.ts'
import { realNow } from '../platform/clock.ts'
import { loggable, logger } from '../platform/logger.ts'
import { secondsUntil } from '../platform/values/durations.ts'
import { throttled } from '../platform/values/errors.ts'

/** Requests with at most this many items take about a second, like single ones. They take no slot. */
export const UNCOUNTED_ITEMS = 25

/**
 * Runs a user's bulk request, unless too many of the user's run already. A slot costs two writes; the items cost hundreds.
 * @throws ServiceError `throttled`
 */
export const inBulkTurn = async <T>(user: number, items: number, run: () => Promise<T>): Promise<T> => {
  if (items <= UNCOUNTED_ITEMS) return run()
  const slot = await takeBulkSlot(user, realNow)
  if (!slot.isTaken) throw throttled(Math.max(1, secondsUntil(slot.freeAt, realNow())))
  try {
    return await run()
  } finally {
    await slot.release().catch((error: unknown) => {
      logger.warn('Left to its end: the slot of a bulk request could not be freed.', { error: loggable(error) })
    })
  }
}
