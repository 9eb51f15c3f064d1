import { type NextCall, nextCall } from '../../calling/rules/next-call.ts'
import type { CallingPolicy } from '../../calling/rules/policy.ts'
import type { Lead } from '../../leads/lead.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Lines } from '../../stops/compliance.ts'

/** Whether the owner's pause covers this lead: it covers all leads, or those that existed when it began. */
export const isPaused = ({ lead, lines }: { readonly lead: Lead; readonly lines: Lines }): boolean =>
  lines.paused || lead.position <= lines.paused_upto

/** The next call of a parked lead after the pause: as soon as allowed. A promised callback stays promised. */
export const resumedCall = (lead: Lead, now: Instant, policy: CallingPolicy): NextCall => {
  const next = nextCall(lead, Math.max(now, lead.next_call_time ?? now), 'RESUMED', policy)
  return next.next_call_time === null ? next : { ...next, promised_time: lead.promised_time }
}
