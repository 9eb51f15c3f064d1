import type { CallEnd } from '../open-report.ts'
import { endBySipStatus } from '../sip-status.ts'

interface TelnyxEnd {
  readonly end: CallEnd
  /** Whether somebody answered, so that insights may follow. */
  readonly talked: boolean
}

const UNANSWERED: ReadonlyMap<string, CallEnd> = new Map([
  ['user_busy', 'busy'],
  ['timeout', 'no_answer'],
  ['no_answer', 'no_answer'],
  ['not_found', 'disconnected'],
  ['originator_cancel', 'cancelled'],
])

/** @returns undefined for a cause that is not documented */
export const telnyxEnd = (cause: string, source: string | null, sip: string | null): TelnyxEnd | undefined => {
  const unanswered = UNANSWERED.get(cause)
  if (unanswered) return { end: unanswered, talked: false }
  const failure = endBySipStatus(sip)
  // Without a status the person rejected the call. Telnyx itself rejects with 403, for reasons of the account.
  if (cause === 'call_rejected') return { end: failure ?? 'busy', talked: false }
  if (cause === 'time_limit') return { end: 'completed', talked: true }
  if (cause !== 'normal_clearing' && cause !== 'unspecified') return undefined
  if (failure) return { end: failure, talked: false }
  if (cause === 'unspecified') return { end: 'unknown', talked: true }
  return { end: source === 'callee' ? 'hung_up' : 'completed', talked: true }
}
