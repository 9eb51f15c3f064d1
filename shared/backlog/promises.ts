import type { Lead } from '../leads/lead.ts'
import { getLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { callbackTimerKey, dueAt, type Placement, watchKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { getItem, ifConditionHolds, putItem, updateItem } from '../platform/table/table.ts'
import { DAY, MINUTE } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { CallbackTimer } from './callback-timer.ts'

/** A timer that has been checked is kept much longer than the write that made the promise may be repeated. */
const KEPT = 30 * DAY

export const getCallbackTimer = (lead: number, promised: Instant): Promise<CallbackTimer | undefined> =>
  getItem(CallbackTimer, callbackTimerKey(lead, promised))

/** A promised call that has not started this long after its time is late. */
export const LATE_AFTER = 15 * MINUTE

/** The sweep checks a promise when its call would be late. Then the timer expires. */
export const timerPlacement = ({ lead, owner, promised_time, expires_at }: Omit<CallbackTimer, 'fired_time'>): Placement | undefined =>
  expires_at === null ? { due_key: watchKey(lead), due_at: dueAt(promised_time + LATE_AFTER, 0, owner) } : undefined

/** Ends the watch over a promised callback. `fired`: the callback is late, which is reported once. */
const finishCallbackTimer = async ({ lead, promised_time }: CallbackTimer, at: Instant, fired: boolean): Promise<void> => {
  await ifConditionHolds(
    updateItem(callbackTimerKey(lead, promised_time), {
      UpdateExpression: `SET expires_at = :expiry${fired ? ', fired_time = :at' : ''} REMOVE due_key, due_at`,
      ConditionExpression: 'attribute_exists(due_key)',
      ExpressionAttributeValues: { ':expiry': expiresAt(at, KEPT), ...(fired && { ':at': at }) },
    }),
  )
}

/**
 * Starts a timer for the callback that a lead was promised. Call this with each write that may bring a new promise. Call it before the
 * write, or after a write that is repeated until both are done. Safe to repeat: a timer that has been checked does not start again.
 */
export const watchPromise = async ({ id: lead, owner, promised_time }: Pick<Lead, 'id' | 'owner' | 'promised_time'>): Promise<void> => {
  if (promised_time === null) return
  const timer = { lead, owner, promised_time }
  const placement = timerPlacement({ ...timer, expires_at: null })
  await ifConditionHolds(
    putItem(
      { ...callbackTimerKey(lead, promised_time), ...timer, fired_time: null, ...placement },
      { ConditionExpression: 'attribute_not_exists(pk)' },
    ),
  )
}

/** Reports that a promised call is late, if the lead still waits for it. */
export const checkPromise = async (id: number, promised: Instant): Promise<void> => {
  const at = now()
  const timer = await getCallbackTimer(id, promised)
  if (!timer || timer.fired_time !== null || at < promised + LATE_AFTER) return
  const lead = await getLead(id)
  await finishCallbackTimer(timer, at, lead?.promised_time === promised)
}
