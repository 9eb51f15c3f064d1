import type { Lead } from '../leads/lead.ts'
import { getLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { MINUTE } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { getCallbackTimer, setCallbackTimer, settleCallbackTimer } from './callback-timer-store.ts'

/** A promised call that has not started this long after its time is late. */
export const LATE_AFTER = 15 * MINUTE

/**
 * Starts a timer for the callback that a lead was promised. Call this with each write that may bring a new promise. Call it before the
 * write, or after a write that is repeated until both are done. Safe to repeat.
 */
export const watchPromise = async ({ id: lead, owner, promised_time }: Pick<Lead, 'id' | 'owner' | 'promised_time'>): Promise<void> => {
  if (promised_time === null) return
  await setCallbackTimer({ lead, owner, promised_time, fired_time: null }, promised_time + LATE_AFTER)
}

/** Reports that a promised call is late, if the lead still waits for it. */
export const checkPromise = async (id: number, promised: Instant): Promise<void> => {
  const at = now()
  const timer = await getCallbackTimer(id, promised)
  if (!timer || timer.fired_time !== null || at < promised + LATE_AFTER) return
  const lead = await getLead(id)
  await settleCallbackTimer(timer, at, lead?.promised_time === promised)
}
