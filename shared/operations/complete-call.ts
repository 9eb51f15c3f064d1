import { now } from '../adapters/clock.ts'
import { shownOutcome } from '../domain/calling/after-call.ts'
import { outcomeOf } from '../domain/calling/outcomes.ts'
import type { Call, ReportedOutcome } from '../schema/call.ts'
import type { Lead } from '../schema/lead.ts'
import type { Instant } from '../schema/values.ts'
import { getCall, tellCall } from '../storage/calls.ts'
import { getLeadType } from '../storage/lead-types.ts'
import { changeLead, getLead } from '../storage/leads.ts'
import { settle } from './settle.ts'
import { stopContacting } from './stop.ts'

/** What the agent says of a call that is over. */
export interface Report {
  readonly at: Instant
  readonly outcome: ReportedOutcome
  readonly messageLeft: boolean
  readonly summary: string | null
  readonly isContact: boolean | null
  readonly callbackTime: Instant | null
  readonly collected: Record<string, unknown> | null
  readonly appointment: Record<string, unknown> | null
}

const shown = async (call: Call, report: Report) => {
  const outcome = outcomeOf(report.outcome, report.messageLeft)
  const lead = await getLead(call.lead)
  const leadType = call.lead_type === null ? undefined : await getLeadType(call.owner, call.lead_type)
  return lead ? shownOutcome(outcome, lead, leadType) : outcome.outcome
}

const isNews = (lead: Lead, collected: Record<string, unknown>): boolean =>
  Object.entries(collected).some(([key, value]) => JSON.stringify(lead.metadata[key]) !== JSON.stringify(value))

/** Puts what was collected in a call into its lead's metadata, key by key. Safe to repeat. */
export const collect = async (call: Call, collected: Record<string, unknown>): Promise<void> => {
  await changeLead(call.lead, (lead) =>
    isNews(lead, collected) ? { ...lead, cause: 'collect', metadata: { ...lead.metadata, ...collected }, modified_time: now() } : undefined,
  )
}

/**
 * Records a completion, then does what follows from it. The first one stands, but a stop applies whenever it is told; a repeat
 * finishes what a crash left undone.
 */
export const completeCall = async (call: Call, report: Report): Promise<void> => {
  if (outcomeOf(report.outcome).dnc) await stopContacting(call.owner, call.phone_number, call.phone_key, 'call')
  if (report.collected) await collect(call, report.collected)
  const told = await tellCall(
    call.call_id,
    {
      completed_time: report.at,
      reported_outcome: report.outcome,
      outcome: await shown(call, report),
      summary: report.summary,
      is_contact: report.isContact,
      callback_time: report.callbackTime,
      collected: report.collected,
      appointment: report.appointment,
    },
    ['completed_time'],
  )
  const completed = told ?? (await getCall(call.call_id))
  if (completed) await settle(completed)
}
