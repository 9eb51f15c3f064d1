import * as v from 'valibot'
import { cadenceTypeOf } from '../../accounts/lead-type.ts'
import { revokeInCall } from '../../consents/revoke-in-call.ts'
import { collect } from '../../leads/collect.ts'
import type { Lead } from '../../leads/lead.ts'
import { getLead } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import { logger } from '../../platform/logger.ts'
import type { Instant } from '../../platform/values/values.ts'
import { failDialsUnderWay } from '../../stops/phone-store.ts'
import { type AskedStop, stopFromCall } from '../../stops/stop-from-call.ts'
import type { Call, ReportedOutcome } from '../call.ts'
import { getCall, recordMilestones } from '../call-store.ts'
import { countedOutcome } from '../rules/booked.ts'
import { shownOutcome } from '../rules/finish/after-call.ts'
import { transferredAs } from '../rules/finish/transferred.ts'
import { outcomeOf } from '../rules/outcomes.ts'
import { heardAt } from '../rules/silence.ts'
import { noteContradiction } from './call-notes.ts'
import { finishCall } from './finish-call.ts'

/** The agent's report of a call that is over. */
export interface Report {
  readonly at: Instant
  /** The provider's own id of the call. */
  readonly providerCallId: string | null
  readonly outcome: ReportedOutcome
  readonly messageLeft: boolean
  readonly summary: string | null
  readonly isContact: boolean | null
  readonly callbackTime: Instant | null
  readonly collected: Record<string, unknown> | null
  readonly appointment: Record<string, unknown> | null
}

/** A completion that tells no more than its outcome. */
export const NOTHING_REPORTED = {
  providerCallId: null,
  messageLeft: false,
  summary: null,
  isContact: null,
  callbackTime: null,
  collected: null,
  appointment: null,
} as const satisfies Partial<Report>

/** The lead, if it can be read. Otherwise the outcome of its call must be kept all the same. */
const readableLead = async (id: number): Promise<Lead | undefined> => {
  try {
    return await getLead(id)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}

const shown = async (call: Call, { outcome, messageLeft }: Report) => {
  const lead = await readableLead(call.lead)
  const leadType = await cadenceTypeOf(call, lead)
  const counted = countedOutcome(call, outcome)
  return lead ? shownOutcome(counted, messageLeft, lead, leadType) : outcomeOf(counted, messageLeft).outcome
}

/** More of them would not help to investigate a call. */
const MOST_CONTRADICTIONS = 5

/** Records on the call that another outcome was reported after the first one. Each outcome is recorded once. */
const contradict = async (call: Call, { at, outcome }: Pick<Report, 'at' | 'outcome'>): Promise<void> => {
  const contradictions = call.contradictions ?? []
  const isNews = outcome !== call.reported_outcome && contradictions.every((earlier) => earlier.outcome !== outcome)
  if (!isNews || contradictions.length >= MOST_CONTRADICTIONS) return
  logger.warn('A call was completed again with another outcome. The first outcome counts.', {
    call: call.call_id,
    first: call.reported_outcome,
    later: outcome,
  })
  if (await noteContradiction(call, { time: at, outcome })) return
  const changed = await getCall(call.call_id)
  if (changed) await contradict(changed, { at, outcome })
}

/** The stop that an outcome means. Its summary is not in the person's words. */
export const STOP_OF_OUTCOME: AskedStop = { channels: ['call'], means: 'call', words: null }

/**
 * Another person answered, and a consent record names only the number. So none of its consents counts any more for the user of the call. The
 * number is not stopped: this person may be on another lead. A dial to another lead may have read the consent before: it fails.
 */
export const endConsents = async (call: Call, at: Instant, outcome: ReportedOutcome | null): Promise<void> => {
  if (outcome !== 'wrong_number') return
  await revokeInCall(call, { channels: ['call'], means: 'call', words: 'The agent reported a wrong number.', time: at, isOnce: true })
  await failDialsUnderWay(call.phone_key)
}

/** Does what cannot wait until the call is over. */
const applyAtOnce = async (call: Call, report: Report): Promise<void> => {
  const { at, outcome, collected } = report
  if (outcomeOf(outcome).dnc) await stopFromCall(call, { ...STOP_OF_OUTCOME, time: at })
  await endConsents(call, at, outcome)
  // Store this before the completion is recorded. The sweep finishes a completed call, but it does not have the collected data.
  if (collected) await collect(call, collected, at)
}

const details = ({ providerCallId, summary, isContact, callbackTime, appointment }: Report) => ({
  ...heardAt(now()),
  provider_call_id: providerCallId,
  summary,
  is_contact: isContact,
  callback_time: callbackTime,
  appointment,
})

/**
 * Records a completion, then does what follows from it. The first completion stands, but a stop in any of them applies. A repeat finishes
 * what a crash left undone.
 * @returns the call as it is afterwards; undefined when it is gone
 */
export const completeCall = async (call: Call, reported: Report): Promise<Call | undefined> => {
  await applyAtOnce(call, reported)
  const report = { ...reported, outcome: transferredAs(call, reported.outcome) ?? reported.outcome }
  const updated = await recordMilestones(
    call,
    { ...details(report), completed_time: report.at, reported_outcome: report.outcome, outcome: await shown(call, report) },
    { unless: ['completed_time'] },
  )
  const completed = updated ?? (await getCall(call.call_id))
  if (!updated && completed) await contradict(completed, report)
  if (completed) await finishCall(completed)
  return completed
}

/**
 * Keeps a completion until the call ends. An assistant is done when it has transferred the person, who still talks.
 * @returns as `completeCall`, which it calls if the call has ended meanwhile
 */
export const completeAtEnd = async (call: Call, report: Report): Promise<Call | undefined> => {
  await applyAtOnce(call, report)
  const kept = { ...details(report), presumed_outcome: report.outcome }
  return (await recordMilestones(call, kept, { unless: ['ended_time', 'completed_time'] })) ?? completeCall(call, report)
}
