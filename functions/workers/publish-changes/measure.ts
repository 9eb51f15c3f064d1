import type { LeadEvent } from '#shared/events/event.ts'
import { measure } from '#shared/platform/metrics.ts'

/** Calls are measured here, because every change passes here, whichever function made it. */
export const measureCalls = (events: readonly LeadEvent[]): void => {
  for (const { trigger, event_time, lead, call } of events) {
    if (trigger === 'BEFORE_CALLING') {
      measure('calls_started')
      // The lead before the dial, with its call still due.
      if (lead?.next_call_time != null) measure('call_lateness', event_time - lead.next_call_time)
    }
    if (trigger === 'CALL_COMPLETE' && call?.outcome) measure(`calls_${call.outcome}`)
    if (trigger === 'CALL_FAILED') measure('calls_FAILED')
  }
}
