import type { Lead } from '../../schema/lead.ts'
import type { Instant } from '../../schema/values.ts'
import { MINUTE } from '../time.ts'
import { type NextCall, NO_NEXT_CALL, nextCall } from './next-call.ts'
import type { Verdict } from './verdict.ts'

/** A phone in conversation is tried again after this long. */
const BUSY_PHONE_DELAY = 2 * MINUTE

/**
 * What becomes of a lead's next call that a gate refused: it moves to the next instant at which it could pass, waits for a
 * line, is parked, or goes. Undefined when it stays as it is.
 */
export const afterRefusal = (lead: Lead, refusal: Verdict, now: Instant, defaultTimezone: string): NextCall | undefined => {
  const { next_call_time, next_call_time_reason } = lead
  switch (refusal.gate) {
    case 'due':
      return undefined
    case 'paused':
      return { next_call_time, next_call_time_reason, due_list: 'PARKED' }
    case 'capacity':
      return { next_call_time, next_call_time_reason: 'CAPACITY', due_list: 'WAIT' }
    case 'window':
    case 'start_time':
      return refusal.next_time === null ? NO_NEXT_CALL : nextCall(lead, refusal.next_time, 'OUTSIDE_WINDOW', defaultTimezone)
    case 'call_in_progress':
      return nextCall(lead, now + BUSY_PHONE_DELAY, 'NEXT_AVAILABLE_SLOT', defaultTimezone)
    case 'status':
    case 'dnc':
    case 'lead_type':
      return NO_NEXT_CALL
  }
}
