import type { Lead } from '../leads/lead.ts'
import { getLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { MINUTE } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { getCallbackTimer, setCallbackTimer, settleCallbackTimer } from './callback-timer-store.ts'

/** A promised call that has not started this long after its time is late. */
export const LATE_AFTER = 15 * MINUTE

/**
 * Watches over the promise of a lead to be called back. To be called with each write that may bring a new one: before it, or
 * after it where that is repeated until it is done. Safe to repeat.
 */
export const watchPromise = async ({ id: lead, owner, promised_time }: Pick<Lead, 'id' | 'owner' | 'promised_time'>): Promise<void> => {
  if (promised_time === null) return
  await setCallbackTimer({ lead, owner, promised_time, fired_time: null }, promised_time + LATE_AFTER)
}

/** Tells that a promised call is late, if the lead still waits for it. */
export const checkPromise = async (id: number, promised: Instant): Promise<void> => {
  const at = now()
  const timer = await getCallbackTimer(id, promised)
  if (!timer || timer.fired_time !== null || at < promised + LATE_AFTER) return
  const lead = await getLead(id)
  await settleCallbackTimer(timer, at, lead?.promised_time === promised)
}
