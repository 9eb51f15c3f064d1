import type { LeadType } from '../../../accounts/configuration.ts'
import { OPENS_AFTER } from '../../../agents/rules/breaker.ts'
import type { Lead } from '../../../leads/lead.ts'
import { isCallable } from '../../../leads/rules/status.ts'
import type { Call, ReportedOutcome } from '../../call.ts'
import { countedOutcome, isBooked } from '../booked.ts'
import { callingHours } from '../calling-hours.ts'
import { type NextCall, NO_NEXT_CALL } from '../next-call.ts'
import { type Outcome, outcomeOf } from '../outcomes.ts'
import { silentFrom } from '../silence.ts'
import { type Aftermath, callAt, furtherCall, nextDelay } from './further-call.ts'

type Placed = Pick<Lead, 'round_attempts'>

/**
 * Whether the cadence has ended, although the outcome leaves the lead open. A transfer that nobody takes on the last step still gets its
 * callback. If nobody takes that one either, the calls end.
 */
const isLastStep = (reported: ReportedOutcome, { round_attempts }: Placed, leadType: LeadType | undefined): boolean => {
  const { next } = outcomeOf(reported)
  if (next === 'transfer_callback') return leadType !== undefined && round_attempts > leadType.cadence.max_attempts
  return next === 'cadence' && (!leadType || nextDelay(leadType.cadence, round_attempts, reported) === undefined)
}

/** The outcome that clients see. A conversation in the cadence's last call has a name of its own. */
export const shownOutcome = (
  reported: ReportedOutcome,
  messageLeft: boolean,
  lead: Placed,
  leadType: LeadType | undefined,
): Outcome['outcome'] => {
  const { conversation, outcome } = outcomeOf(reported, messageLeft)
  return conversation && isLastStep(reported, lead, leadType) ? 'COMPLETED_LAST_CALL' : outcome
}

/** A bad number is a fact about the phone that was called. It does not apply to a phone that the lead got since. */
const isAboutOldPhone = ({ lead, call }: Aftermath, status: Lead['status']): boolean =>
  status === 'BAD_NUMBER' && call.phone_number !== lead.phone_number

/** A person who hung up on the first call must not be called back by an automated device: NRS 597.814(2). */
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

/** Whether the refusal counts against the lead: not if the request never reached the agent, nor if the agent is certainly to blame. */
const isRefusalOfCall = ({ unsent_time, account_blame }: Call): boolean =>
  account_blame === 'DOUBTED' || (account_blame === null && unsent_time === null)

/** A lead is given up after this many refusals: one per call of its cadence, but more than open an agent's breaker. */
const mostRefusals = ({ leadType }: Aftermath): number => Math.max(leadType?.cadence.max_attempts ?? 0, OPENS_AFTER + 1)

/**
 * The lead waits for its agent, unless a setting holds it. It keeps its turn when the agent was not reached. When the platform blamed the
 * account, another lead's call is the next probe: the cause may be this call.
 */
const heldForAgent = (aftermath: Aftermath): NextCall => {
  const { call, now } = aftermath
  const turn = call.account_blame === null ? (call.due_time ?? call.intent_time) : now
  const next = callAt(aftermath, turn, 'CAPACITY')
  return next.due_list !== 'CALL' ? next : { ...next, due_list: 'HELD', held_by: call.agent }
}

/** The outcome whose delay in the cadence applies before a refused call is tried again. */
const retriedAs = ({ promised_time }: Call): ReportedOutcome => (promised_time === null ? 'failed' : 'transfer_unavailable')

/**
 * A refused call never took place: the cadence does not count it, and the step is tried again. If the person was promised the call, the
 * promise stands. A lead whose calls are always refused is given up.
 */
const withoutCall = (aftermath: Aftermath): Lead => {
  const { call } = aftermath
  const lead: Lead = {
    ...aftermath.lead,
    round_attempts: aftermath.lead.round_attempts - 1,
    refusals: aftermath.lead.refusals + (isRefusalOfCall(call) ? 1 : 0),
    current_call: null,
  }
  const wasSent = call.unsent_time === null
  // Since the dial, the cadence may have become shorter, or the lead type may be gone.
  const isOver = wasSent && isLastStep(retriedAs(call), lead, aftermath.leadType)
  if (isOver || lead.refusals >= mostRefusals(aftermath)) {
    return { ...lead, ...NO_NEXT_CALL, status: 'CLOSED_INCOMPLETE', status_detail: null, status_reason: 'UNKNOWN' }
  }
  // Repeats the same step of the cadence.
  const again = wasSent ? furtherCall({ ...aftermath, lead }, retriedAs(call)) : heldForAgent({ ...aftermath, lead })
  return { ...lead, ...again, promised_time: again.next_call_time === null ? null : call.promised_time }
}

/**
 * An attempt of unknown fate is never dialled again; the cadence continues after it. The call stays the lead's current one until it
 * counts as silent. An outcome that the agent reports by then still counts.
 */
const withUnknownFate = (aftermath: Aftermath): Lead | undefined => {
  const { call, lead, leadType, now } = aftermath
  const isDecided = lead.next_call_time !== null || !isCallable(lead.status)
  const isSilent = now >= silentFrom(call)
  if (isDecided && !isSilent) return undefined
  const current_call = isSilent ? null : lead.current_call
  if (isDecided) return { ...lead, current_call }
  if (isBooked(call)) return { ...withOutcome(aftermath, 'appointment_booked'), current_call }
  const status = isLastStep('unknown', lead, leadType) ? 'CLOSED_INCOMPLETE' : lead.status
  return { ...lead, status, refusals: 0, current_call, ...furtherCall(aftermath, 'unknown') }
}

const afterItsEnd = (aftermath: Aftermath): Lead | undefined => {
  const { call } = aftermath
  if (call.refused_time !== null) return withoutCall(aftermath)
  if (call.reported_outcome === null) return withUnknownFate(aftermath)
  return withOutcome(aftermath, countedOutcome(call, call.reported_outcome))
}

const isLatest = (lead: Lead, call: Call): boolean => lead.last_chat === null || Number(lead.last_chat.split('-')[1]) < call.attempt

/**
 * The lead after one of its calls: completed, refused by the provider, or of unknown fate. An outcome changes status and next call only
 * while the call is the lead's current one. It no longer is after a client set another status, or after a reengagement.
 * @returns undefined when nothing changes
 */
export const afterCall = (aftermath: Aftermath): Lead | undefined => {
  const { lead, call, now } = aftermath
  const changed = lead.current_call === call.call_id ? afterItsEnd(aftermath) : undefined
  const isChat = call.reported_outcome !== null && isLatest(lead, call)
  if (!changed && !isChat) return undefined
  return { ...(changed ?? lead), cause: 'outcome', last_chat: isChat ? call.call_id : lead.last_chat, modified_time: now }
}
