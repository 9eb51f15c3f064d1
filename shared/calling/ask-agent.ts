import { getLeadType } from '../accounts/lead-type-store.ts'
import { getUser } from '../accounts/user-store.ts'
import { noteHealth } from '../agents/agent-health.ts'
import { getAgent } from '../agents/agent-store.ts'
import { callRequest } from '../agents/rules/call-request.ts'
import { type AgentAnswer, placeCall } from '../agents/voice-agent.ts'
import { requestCancel } from '../backlog/dispatch.ts'
import type { Lead } from '../leads/lead.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { logger } from '../platform/logger.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Call } from './call.ts'
import { claimAsking, getCall, recordMilestones } from './call-store.ts'
import { callingPolicy } from './calling-policy.ts'
import { cancelIfStopped, stopOf } from './cancel.ts'
import { finishCall } from './finish/finish-call.ts'
import { callStatus } from './rules/call-status.ts'
import { callingHours } from './rules/calling-hours.ts'
import { mayStart } from './rules/hours/hours.ts'

/** How long one request to the agent may take. */
export const AGENT_TIMEOUT = 5 * SECOND

const request = async (call: Call, lead: Lead): Promise<AgentAnswer> => {
  const [agent, leadType] = await Promise.all([getAgent(call.agent), getLeadType(call.owner, call.lead_type ?? 0)])
  if (!agent || !leadType) return { kind: 'unsent', health: 'unsaid', reason: 'The lead type or its agent no longer exists.' }
  const timeout = Math.min(AGENT_TIMEOUT, call.not_after - now())
  return placeCall(agent, call.call_id, callRequest({ call, lead, leadType, baseUrl: setting('PUBLIC_BASE_URL') }), timeout)
}

/** Milestones that prove the call, even if another request for it was refused. */
const SIGNS_OF_LIFE = ['accepted_time', 'heard_time'] as const

/**
 * Ends an attempt that the agent has not confirmed. `asked_time` is written before the first request. Without it, the agent was never
 * asked: the attempt counts as refused, and another may follow at once. The fate of any other attempt is unknown.
 */
const giveUp = async (call: Call, reason: string): Promise<void> => {
  const unasked = await recordMilestones(
    call,
    { refused_time: now(), failure: 'The provider was not asked in time.' },
    { unless: ['asked_time', ...SIGNS_OF_LIFE] },
  )
  const ended = unasked ?? (await recordMilestones(call, { unknown_time: now(), failure: reason }, { unless: SIGNS_OF_LIFE }))
  if (ended) await finishCall(ended)
}

/** Whether the call may no longer start. The known location of the lead may have changed since the intent. */
const isOutside = async (call: Call, lead: Lead): Promise<boolean> => {
  const policy = await callingPolicy(await getUser(call.owner))
  return !mayStart(callingHours({ ...lead, phone_number: call.phone_number }, policy).hours, now())
}

/** Looks at the stops again: one raised during the request found nothing to cancel yet. */
const cancelLate = async (call: Call): Promise<void> => {
  if (!(await cancelIfStopped(call))) await requestCancel({ owner: call.owner, callId: call.call_id })
}

const ask = async (call: Call, lead: Lead, isFirst: boolean): Promise<boolean> => {
  if (now() >= call.not_after) {
    await giveUp(call, 'The provider did not confirm the call in time.')
    return true
  }
  // The claim fails once the attempt is given up: an attempt recorded as never asked must stay so. It also fails while another message asks
  // the agent.
  const at = now()
  if (!(await claimAsking(call, at, at + AGENT_TIMEOUT))) {
    const current = await getCall(call.call_id)
    return !current || callStatus(current) !== 'QUEUED'
  }
  const answer = await request(call, lead)
  if (answer.kind === 'accepted') {
    const accepted = await recordMilestones(call, { accepted_time: now(), provider_call_id: answer.provider_call_id })
    await noteHealth(call, answer)
    if (accepted) await cancelLate(accepted)
    return true
  }
  if (answer.kind !== 'unclear' && isFirst) {
    // Record the refusal first. After a crash without it, the next look could only record an unknown fate.
    const refusal = { refused_time: now(), failure: answer.reason, ...(answer.kind === 'unsent' && { unsent_time: now() }) }
    const refused = await recordMilestones(call, refusal, { unless: SIGNS_OF_LIFE })
    await noteHealth(call, answer)
    if (refused) await finishCall(refused)
    return true
  }
  // Each call counts once for the agent's health: one odd number must not pause all other calls.
  if (isFirst) await noteHealth(call, answer)
  logger.warn('The agent is asked again with the same key.', { call: call.call_id, reason: answer.reason })
  return false
}

/**
 * Asks the agent to place a call whose intent has just been written, and records the answer. Every request has the same idempotency key.
 * No request is sent after the call's `not_after`: then its fate is unknown, and it is never dialled again.
 * @returns false when the agent has not confirmed the call yet, and the message must come back
 */
export const askAgent = (call: Call, lead: Lead): Promise<boolean> => ask(call, lead, true)

/**
 * Resumes a call whose request was cut short. A call so young that its first request may still be running is left alone. A call that is
 * stopped, or whose lead is gone, is given up. A refusal proves nothing now: an earlier request may have placed the call.
 * @returns as `askAgent`
 */
export const askAgentAgain = async (call: Call, lead: Lead | undefined): Promise<boolean> => {
  if (now() < call.intent_time + AGENT_TIMEOUT + SECOND) return false
  if (!lead || (await stopOf(call))) {
    await giveUp(call, 'Stopped before the provider had confirmed the call.')
    await requestCancel({ owner: call.owner, callId: call.call_id })
    return true
  }
  if (!(await isOutside(call, lead))) return ask(call, lead, false)
  await giveUp(call, 'The calling hours ended before the provider had confirmed the call.')
  return true
}
