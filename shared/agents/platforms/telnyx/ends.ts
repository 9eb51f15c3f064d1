import type { CallEnd } from '../open-report.ts'
import { endBySipStatus } from '../sip-status.ts'

interface TelnyxEnd {
  readonly end: CallEnd
  /** Whether somebody answered, so that insights may follow. Null: the cause does not show it. */
  readonly talked: boolean | null
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
  // Telnyx also clears a call normally that nobody answered. Only the status 200 shows an answer.
  return { end: source === 'callee' ? 'hung_up' : 'completed', talked: sip === '200' || null }
}
