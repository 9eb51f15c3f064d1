import type { Lead } from '../../leads/lead.ts'
import { saveLead } from '../../leads/lead-store.ts'
import type { TransactResult } from '../../platform/table/transactions.ts'
import type { Call } from '../call.ts'
import { callsOf } from '../call-store.ts'
import { withMissedCalls } from '../rules/finish/missed-calls.ts'
import { applyOutcome } from './finish-call.ts'

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
  // The outcome of a call that is still in progress is applied when it ends.
  if (latest.settled_time !== null) await applyOutcome(latest)
  return true
}

/**
 * Whether a transaction failed because its call exists already, although the lead has not changed. A retry would fail for ever.
 * @param places indexes of the lead's and the call's write in the transaction
 */
export const isBehindCalls = (result: TransactResult, places: { readonly lead: number; readonly call: number }): boolean =>
  !result.committed && result.refused.includes(places.call) && !result.refused.includes(places.lead)
