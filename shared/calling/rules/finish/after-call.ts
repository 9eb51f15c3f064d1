import type { LeadType } from '../../../accounts/configuration.ts'
import { OPENS_AFTER } from '../../../agents/rules/breaker.ts'
import type { Lead } from '../../../leads/lead.ts'
import { isCallable } from '../../../leads/rules/status.ts'
import type { Call, ReportedOutcome } from '../../call.ts'
import { countedOutcome, isBooked } from '../booked.ts'
import { callingHours } from '../calling-hours.ts'
import { type NextCall, NO_NEXT_CALL } from '../next-call.ts'
import { silentFrom } from '../silence.ts'
import { nextDelay } from './cadence.ts'
import { type Aftermath, callAt, furtherCall } from './further-call.ts'
import { type Outcome, outcomeOf } from './outcomes.ts'

type Placed = Pick<Lead, 'round_attempts'>

/**
 * Whether no further call follows although the outcome leaves the lead open: the cadence is at its end. A transfer that finds nobody on the
 * last step still gets its callback; if that finds nobody either, the calls end.
 */
const isLastStep = (reported: ReportedOutcome, { round_attempts }: Placed, leadType: LeadType | undefined): boolean => {
  const { next } = outcomeOf(reported)
  if (next === 'transfer_callback') return leadType !== undefined && round_attempts > leadType.cadence.max_attempts
  return next === 'cadence' && (!leadType || nextDelay(leadType.cadence, round_attempts, reported) === undefined)
}

/** The outcome as it is shown: the last call of a cadence that was a conversation has a name of its own. */
export const shownOutcome = (
  reported: ReportedOutcome,
  messageLeft: boolean,
  lead: Placed,
  leadType: LeadType | undefined,
): Outcome['outcome'] => {
  const { conversation, outcome } = outcomeOf(reported, messageLeft)
  return conversation && isLastStep(reported, lead, leadType) ? 'COMPLETED_LAST_CALL' : outcome
}

/** What a call says of its phone is not said of the one that the lead has been given since. */
const isAboutOldPhone = ({ lead, call }: Aftermath, status: Lead['status']): boolean =>
  status === 'BAD_NUMBER' && call.phone_number !== lead.phone_number

/** Who ended the first call must not be called back by an automated device: NRS 597.814(2). */
const HANG_UP_ENDS = 'NV'

const endsByHangUp = ({ lead, policy }: Aftermath, reported: ReportedOutcome): boolean =>
  reported === 'hung_up' && callingHours(lead, policy).jurisdictions.includes(HANG_UP_ENDS)

const withOutcome = (aftermath: Aftermath, reported: ReportedOutcome): Lead => {
  const { lead, leadType } = aftermath
  const { status, detail } = outcomeOf(reported)
  if (isAboutOldPhone(aftermath, status)) return withOutcome(aftermath, 'failed')
  if (endsByHangUp(aftermath, reported)) return withOutcome(aftermath, 'not_interested')
  const next: Lead = {
    ...lead,
    status: isLastStep(reported, lead, leadType) ? 'CLOSED_INCOMPLETE' : status,
    status_detail: detail,
    status_reason: 'CHAT',
    refusals: 0,
    current_call: null,
  }
  return { ...next, ...furtherCall({ ...aftermath, lead: next }, reported) }
}

/** Not of one that never reached the agent, nor of one that was to show whether the agent is back: that tells nothing of the lead. */
const isRefusalOfCall = ({ asked_time, unsent_time, verdicts }: Call): boolean =>
  asked_time !== null && unsent_time === null && verdicts['capacity'] !== 'PROBE'

/** As many as the cadence has calls, and more than an agent that fails comes to before it is given up. */
const mostRefusals = ({ leadType }: Aftermath): number => Math.max(leadType?.cadence.max_attempts ?? 0, OPENS_AFTER + 1)

/** The lead keeps its turn and waits for its agent, unless a setting holds it. */
const heldForAgent = (aftermath: Aftermath): NextCall => {
  const { call } = aftermath
  const next = callAt(aftermath, call.due_time ?? call.intent_time, 'CAPACITY')
  return next.due_list !== 'CALL' ? next : { ...next, due_list: 'HELD', held_by: call.agent }
}

/** The outcome whose delay in the cadence applies before a refused call is tried again. */
const retriedAs = ({ promised_time }: Call): ReportedOutcome => (promised_time === null ? 'failed' : 'transfer_unavailable')

/** The same step again, at once when the agent was never even asked. */
const sameStep = (aftermath: Aftermath): NextCall => {
  const { call, now } = aftermath
  if (call.unsent_time !== null) return heldForAgent(aftermath)
  if (call.asked_time === null) return callAt(aftermath, now, 'NEXT_AVAILABLE_SLOT')
  return furtherCall(aftermath, retriedAs(call))
}

/**
 * A refused call took place nowhere: it is taken off what the cadence counts, and the step is tried again. If the person was promised the
 * call, the promise stands. A lead that is refused each time is given up.
 */
const withoutCall = (aftermath: Aftermath): Lead => {
  const { call } = aftermath
  const lead: Lead = {
    ...aftermath.lead,
    round_attempts: aftermath.lead.round_attempts - 1,
    refusals: aftermath.lead.refusals + (isRefusalOfCall(call) ? 1 : 0),
    current_call: null,
  }
  const wasSent = call.asked_time !== null && call.unsent_time === null
  // The cadence may have been made shorter, or its lead type be gone, since the call was dialled.
  const isOver = wasSent && isLastStep(retriedAs(call), lead, aftermath.leadType)
  if (isOver || lead.refusals >= mostRefusals(aftermath)) {
    return { ...lead, ...NO_NEXT_CALL, status: 'CLOSED_INCOMPLETE', status_detail: null, status_reason: 'UNKNOWN' }
  }
  const again = sameStep({ ...aftermath, lead })
  return { ...lead, ...again, promised_time: again.next_call_time === null ? null : call.promised_time }
}

/**
 * An attempt of unknown fate is never dialled again; the cadence goes on from it. As long as it is not silent for good the call
 * stays the lead's current one: should the agent tell its outcome after all, that counts.
 */
const withUnknownFate = (aftermath: Aftermath): Lead | undefined => {
  const { call, lead, leadType, now } = aftermath
  const isConcluded = lead.next_call_time !== null || !isCallable(lead.status)
  const isSilent = now >= silentFrom(call)
  if (isConcluded && !isSilent) return undefined
  const current_call = isSilent ? null : lead.current_call
  if (isConcluded) return { ...lead, current_call }
  if (isBooked(call)) return { ...withOutcome(aftermath, 'appointment_booked'), current_call }
  const status = isLastStep('unknown', lead, leadType) ? 'CLOSED_INCOMPLETE' : lead.status
  return { ...lead, status, refusals: 0, current_call, ...furtherCall(aftermath, 'unknown') }
}

const concluded = (aftermath: Aftermath): Lead | undefined => {
  const { call } = aftermath
  if (call.refused_time !== null) return withoutCall(aftermath)
  if (call.reported_outcome === null) return withUnknownFate(aftermath)
  return withOutcome(aftermath, countedOutcome(call, call.reported_outcome))
}

const isLatest = (lead: Lead, call: Call): boolean => lead.last_chat === null || Number(lead.last_chat.split('-')[1]) < call.attempt

/**
 * The lead after one of its calls: completed, refused by the provider, or of a fate that nobody knows. An outcome changes
 * status and next call only while the call is still the lead's current one: not after a stop or a reengagement.
 * @returns undefined when nothing changes
 */
export const afterCall = (aftermath: Aftermath): Lead | undefined => {
  const { lead, call, now } = aftermath
  const changed = lead.current_call === call.call_id ? concluded(aftermath) : undefined
  const isChat = call.reported_outcome !== null && isLatest(lead, call)
  if (!changed && !isChat) return undefined
  return { ...(changed ?? lead), cause: 'outcome', last_chat: isChat ? call.call_id : lead.last_chat, modified_time: now }
}
