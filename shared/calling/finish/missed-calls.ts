import type { Lead } from '../../leads/lead.ts'
import { saveLead } from '../../leads/lead-store.ts'
import { isCallable } from '../../leads/rules/status.ts'
import type { TransactResult } from '../../platform/table/transactions.ts'
import type { Call } from '../call.ts'
import { callsOf } from '../call-store.ts'
import { NO_NEXT_CALL } from '../rules/next-call.ts'
import { applyOutcome } from './finish-call.ts'

/** Whether the cadence counts a call. The latest one counts even if it was refused: applying its end takes that back. */
const counts = (call: Call, latest: Call): boolean =>
  call.call_direction === 'outbound' && (call.refused_time === null || call.call_id === latest.call_id)

/**
 * A lead that was restored from a backup, after it counts the calls made since that backup. The outcome of the latest call decides how
 * the lead continues, if it may still be called.
 * @param missed calls with attempt numbers beyond the lead's, the newest first; at least one
 */
const withMissedCalls = (lead: Lead, missed: readonly [latest: Call, ...earlier: Call[]]): Lead => {
  const [latest] = missed
  const isOpen = isCallable(lead.status) && !lead.call_dnc
  return {
    ...lead,
    ...(isOpen && { ...NO_NEXT_CALL, current_call: latest.call_id }),
    version: lead.version + 1,
    cause: 'schedule',
    attempts: latest.attempt,
    round_attempts: lead.round_attempts + missed.filter((call) => counts(call, latest)).length,
  }
}

type Missed = readonly [latest: Call, ...earlier: Call[]]

/** Calls that a lead restored from a backup does not count, the newest first. Undefined when there are none. */
export const missedCalls = async (lead: Lead): Promise<Missed | undefined> => {
  const [latest, ...earlier] = (await callsOf(lead.id)).filter(({ attempt }) => attempt > lead.attempts)
  return latest && [latest, ...earlier]
}

/** Makes a lead count these calls, and continue from the latest one. @returns false when the lead has changed since it was read */
export const countMissedCalls = async (lead: Lead, missed: Missed): Promise<boolean> => {
  if (!(await saveLead(withMissedCalls(lead, missed)))) return false
  const [latest] = missed
  // The watch over a call in progress applies its outcome later.
  if (latest.settled_time !== null) await applyOutcome(latest)
  return true
}

/**
 * Whether a transaction failed because its call exists already, although the lead has not changed. A retry would fail for ever.
 * @param places indexes of the lead's and the call's write in the transaction
 */
export const isBehindCalls = (result: TransactResult, places: { readonly lead: number; readonly call: number }): boolean =>
  !result.committed && result.refused.includes(places.call) && !result.refused.includes(places.lead)
