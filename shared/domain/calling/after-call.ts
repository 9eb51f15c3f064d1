import type { Call } from '../../schema/call.ts'
import type { LeadType } from '../../schema/configuration.ts'
import type { Lead } from '../../schema/lead.ts'
import type { Instant } from '../../schema/values.ts'
import { SECOND } from '../time.ts'
import { nextDelay } from './cadence.ts'
import { type NextCall, NO_NEXT_CALL, nextCall } from './next-call.ts'
import { type Outcome, outcomeOf } from './outcomes.ts'

/** What an outcome goes by, besides itself. */
export interface Aftermath {
  readonly lead: Lead
  readonly call: Call
  readonly leadType: LeadType | undefined
  readonly now: Instant
  readonly defaultTimezone: string
}

/** Whether the cadence has no further step after the call that has just ended. */
const isLastStep = (outcome: Outcome, lead: Lead, leadType: LeadType | undefined): boolean =>
  outcome.next === 'cadence' && (!leadType || nextDelay(leadType.cadence, lead.round_attempts, outcome.outcome) === undefined)

/** The outcome as it is shown: the last call of a cadence that was a conversation has a name of its own. */
export const shownOutcome = (outcome: Outcome, lead: Lead, leadType: LeadType | undefined): Outcome['outcome'] =>
  outcome.conversation && isLastStep(outcome, lead, leadType) ? 'COMPLETED_LAST_CALL' : outcome.outcome

const furtherCall = ({ lead, call, leadType, now, defaultTimezone }: Aftermath, outcome: Outcome): NextCall => {
  if (!leadType) return NO_NEXT_CALL
  const soon = now + leadType.cadence.transfer_unavailable_delay * SECOND
  switch (outcome.next) {
    case 'none':
      return NO_NEXT_CALL
    case 'callback':
      return nextCall(lead, Math.max(now, call.callback_time ?? soon), 'CALLBACK', defaultTimezone)
    case 'transfer_callback':
      return nextCall(lead, soon, 'CALLBACK', defaultTimezone)
    case 'cadence': {
      const delay = nextDelay(leadType.cadence, lead.round_attempts, outcome.outcome)
      return delay === undefined ? NO_NEXT_CALL : nextCall(lead, now + delay, 'NEXT_AVAILABLE_SLOT', defaultTimezone)
    }
  }
}

const withOutcome = (aftermath: Aftermath, outcome: Outcome): Lead => {
  const { lead, leadType } = aftermath
  const next: Lead = {
    ...lead,
    status: isLastStep(outcome, lead, leadType) ? 'CLOSED_INCOMPLETE' : outcome.status,
    status_detail: outcome.detail,
    status_reason: 'CHAT',
  }
  return { ...next, ...furtherCall({ ...aftermath, lead: next }, outcome) }
}

/** A refused call took place nowhere: it is taken off what the cadence counts, and the step is tried again. */
const withoutCall = (aftermath: Aftermath): Lead => {
  const lead = { ...aftermath.lead, round_attempts: aftermath.lead.round_attempts - 1 }
  return { ...lead, ...furtherCall({ ...aftermath, lead }, outcomeOf('failed')) }
}

const isLatest = (lead: Lead, call: Call): boolean => lead.last_chat === null || Number(lead.last_chat.split('-')[1]) < call.attempt

/**
 * The lead after one of its calls: completed, refused by the provider, or of a fate that nobody knows. An outcome changes
 * status and next call only while the call is still the lead's current one: not after a stop or a reengagement.
 * @returns undefined when nothing changes
 */
export const afterCall = (aftermath: Aftermath): Lead | undefined => {
  const { lead, call, now } = aftermath
  const isCurrent = lead.current_call === call.call_id
  const isChat = call.reported_outcome !== null && isLatest(lead, call)
  if (!isCurrent && !isChat) return undefined
  const changed = isCurrent ? concluded(aftermath) : lead
  return {
    ...changed,
    cause: 'outcome',
    current_call: isCurrent ? null : lead.current_call,
    last_chat: isChat ? call.call_id : lead.last_chat,
    modified_time: now,
  }
}

const concluded = (aftermath: Aftermath): Lead => {
  const { call, lead } = aftermath
  if (call.refused_time !== null) return withoutCall(aftermath)
  if (call.reported_outcome === null) return keepingStatus(aftermath, lead)
  return withOutcome(aftermath, outcomeOf(call.reported_outcome))
}

/** An attempt of unknown fate is never dialled again; the cadence goes on from it. */
const keepingStatus = (aftermath: Aftermath, lead: Lead): Lead => {
  const unknown = outcomeOf('unknown')
  const status = isLastStep(unknown, lead, aftermath.leadType) ? 'CLOSED_INCOMPLETE' : lead.status
  return { ...lead, status, ...furtherCall(aftermath, unknown) }
}
