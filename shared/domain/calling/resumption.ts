import type { Lead } from '../../schema/lead.ts'
import type { Instant } from '../../schema/values.ts'
import { type NextCall, nextCall } from './next-call.ts'
import type { CallingPolicy } from './policy.ts'

/** The next call of a parked lead whose owner is no longer paused: as soon as it may be. A promise to call back stays one. */
export const resumedCall = (lead: Lead, now: Instant, policy: CallingPolicy): NextCall => {
  const next = nextCall(lead, Math.max(now, lead.next_call_time ?? now), 'RESUMED', policy)
  return next.next_call_time === null ? next : { ...next, promised_time: lead.promised_time }
}
