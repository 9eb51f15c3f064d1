import type { CallEnd } from '../open-report.ts'

/** Reasons of a call that nobody picked up. No analysis says more about it. */
const UNANSWERED: ReadonlyMap<string, CallEnd> = new Map([
  ['dial_no_answer', 'no_answer'],
  ['dial_busy', 'busy'],
  ['user_declined', 'busy'],
  ['invalid_destination', 'disconnected'],
  ['dial_failed', 'failed'],
  ['telephony_provider_permission_denied', 'failed'],
  ['telephony_provider_unavailable', 'failed'],
  ['sip_routing_error', 'failed'],
  ['marked_as_spam', 'failed'],
  ['no_concurrency_fallback', 'failed'],
  ['scam_detected', 'failed'],
  ['registered_call_timeout', 'failed'],
])

const ANSWERED: ReadonlyMap<string, CallEnd> = new Map([
  ['user_hangup', 'hung_up'],
  ['agent_hangup', 'completed'],
  ['inactivity', 'completed'],
  ['max_duration_reached', 'completed'],
  ['voicemail_reached', 'voicemail'],
  ['ivr_reached', 'voicemail'],
  ['call_transfer', 'transferred_blind'],
  ['transfer_bridged', 'transferred_warm'],
  ['transfer_cancelled', 'transfer_unavailable'],
  ['call_take_over', 'escalated'],
])

/** Reasons that the account cannot place any call. No phone rang, unless the call has a duration. */
const ACCOUNT_FAULTS: readonly string[] = ['concurrency_limit_reached', 'no_valid_payment']

export const isRetellAccountFault = (reason: string | null): boolean => ACCOUNT_FAULTS.includes(reason ?? '')

/** Faults of Retell or of the customer's model, such as `error_asr`. */
const FAULT = /^error_/

interface RetellEnd {
  readonly end: CallEnd
  readonly isAnswered: boolean
  /** A reason that none of the groups contains. */
  readonly unknown?: string
}

/** The meaning of each `disconnection_reason`. A stop by hand is a cancellation only before somebody picks up. */
export const retellEnd = (reason: string, status: string | null, seconds: number): RetellEnd => {
  const isAnswered = status !== 'not_connected'
  if (reason === 'manual_stopped')
    return isAnswered && seconds > 0 ? { end: 'completed', isAnswered } : { end: 'cancelled', isAnswered: false }
  const unanswered = UNANSWERED.get(reason)
  if (unanswered) return { end: unanswered, isAnswered: false }
  const end = FAULT.test(reason) || isRetellAccountFault(reason) ? 'unknown' : ANSWERED.get(reason)
  return end ? { end, isAnswered } : { end: 'unknown', isAnswered, unknown: `disconnection_reason ${reason}` }
}
