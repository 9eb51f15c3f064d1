import * as v from 'valibot'
import { realNow } from '../platform/clock.ts'
import { bulkSlotsKey } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { SECOND, secondsUntil } from '../platform/values/durations.ts'
import { throttled } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'

/** Milliseconds. Longer than any route's function runs, so a slot held for longer was left by a crash. */
const HELD = 30 * SECOND
const MAX_TRIES = 30

const until = v.optional(v.number(), 0)
/** When each slot's lease ends; 0: it is free. */
const Slots = v.object({ slot_0: until, slot_1: until, slot_2: until, slot_3: until })
type Slot = keyof v.InferOutput<typeof Slots>

const SLOTS: readonly Slot[] = ['slot_0', 'slot_1', 'slot_2', 'slot_3']
/** Most concurrent bulk requests of one user. */
export const MOST_BULKS = SLOTS.length

type Taken = { readonly isTaken: true; readonly release: () => Promise<void> } | { readonly isTaken: false; readonly freeAt: Instant }

/** @returns false when another request has taken the slot since it was read */
const hold = (user: number, slot: Slot, seen: Instant, end: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(bulkSlotsKey(user), {
      UpdateExpression: 'SET #slot = :end',
      ConditionExpression: seen === 0 ? 'attribute_not_exists(#slot)' : '#slot = :seen',
      ExpressionAttributeNames: { '#slot': slot },
      ExpressionAttributeValues: { ':end': end, ...(seen > 0 && { ':seen': seen }) },
    }),
  )

const release = async (user: number, slot: Slot, end: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(bulkSlotsKey(user), {
      UpdateExpression: 'REMOVE #slot',
      ConditionExpression: '#slot = :end',
      ExpressionAttributeNames: { '#slot': slot },
      ExpressionAttributeValues: { ':end': end },
    }),
  )
}

/**
 * Takes one of a user's slots for bulk requests. All functions share the slots. They are read first, so a refused request costs no write.
 * @returns how to release the slot; or without a free one, when the first will be free at the latest
 */
const takeBulkSlot = (user: number, now: () => Instant): Promise<Taken> =>
  retryRaces<Taken>({ tries: MAX_TRIES, lost: 'Lost the race for the bulk slots of one user', pause: 0 }, async () => {
    const slots = (await getItem(Slots, bulkSlotsKey(user))) ?? v.parse(Slots, {})
    const at = now()
    const slot = SLOTS.find((one) => slots[one] <= at)
    if (slot === undefined) return { isTaken: false, freeAt: Math.min(...SLOTS.map((one) => slots[one])) }
    const end = at + HELD
    const isHeld = await hold(user, slot, slots[slot], end)
    return isHeld ? { isTaken: true, release: () => release(user, slot, end) } : undefined
  })

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
      logger.warn('The slot of a bulk request could not be freed. It expires on its own.', { error: loggable(error) })
    })
  }
}
