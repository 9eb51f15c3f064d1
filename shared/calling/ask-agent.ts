import { getLeadType } from '../accounts/lead-type-store.ts'
import { getUser } from '../accounts/user-store.ts'
import { noteHealth } from '../agents/agent-health.ts'
import { getAgent } from '../agents/agent-store.ts'
import { callRequest } from '../agents/rules/call-request.ts'
import { type AgentAnswer, placeCall } from '../agents/voice-agent.ts'
import type { Lead } from '../leads/lead.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { logger } from '../platform/logger.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Call } from './call.ts'
import { claimAsking, getCall, tellCall } from './call-store.ts'
import { callingPolicy } from './calling-policy.ts'
import { cancelIfStopped, stopOf } from './cancel.ts'
import { finishCall } from './finish/finish-call.ts'
import { requestCancel } from './request-cancel.ts'
import { callStatus } from './rules/call-status.ts'
import { callingHours } from './rules/calling-hours.ts'
import { mayStart } from './rules/hours/hours.ts'

/** How long one request to the agent may take. */
export const AGENT_TIMEOUT = 5 * SECOND

const request = async (call: Call, lead: Lead): Promise<AgentAnswer> => {
  const [agent, leadType] = await Promise.all([getAgent(call.agent), getLeadType(call.owner, call.lead_type ?? 0)])
  if (!agent || !leadType) return { kind: 'unsent', health: 'unsaid', reason: 'The lead type or its agent is gone.' }
  const timeout = Math.min(AGENT_TIMEOUT, call.not_after - now())
  return placeCall(agent, call.call_id, callRequest({ call, lead, leadType, baseUrl: setting('PUBLIC_BASE_URL') }), timeout)
}

/** Signs that a call took place, whatever another request for it was told. */
const SIGNS_OF_LIFE = ['accepted_time', 'heard_time'] as const

/**
 * Ends an attempt that nobody has confirmed. One that the agent was never asked for took place nowhere, which is certain because
 * the asking is noted before it: another attempt may follow at once. Any other is of unknown fate.
 */
const giveUp = async (call: Call, reason: string): Promise<void> => {
  const unasked = await tellCall(
    call,
    { refused_time: now(), failure: 'The provider was not asked in time.' },
    { unless: ['asked_time', ...SIGNS_OF_LIFE] },
  )
  const ended = unasked ?? (await tellCall(call, { unknown_time: now(), failure: reason }, { unless: SIGNS_OF_LIFE }))
  if (ended) await finishCall(ended)
}

/** Whether a call may no longer start, for all that is known by now of where the lead is. */
const isOutside = async (call: Call, lead: Lead): Promise<boolean> => {
  const policy = await callingPolicy(await getUser(call.owner))
  return !mayStart(callingHours({ ...lead, phone_number: call.phone_number }, policy).hours, now())
}

/** A stop may have been raised while the agent was asked: whoever raised it may have come before there was anything to cancel. */
const cancelLate = async (call: Call): Promise<void> => {
  if (!(await cancelIfStopped(call))) await requestCancel({ owner: call.owner, callId: call.call_id })
}

const ask = async (call: Call, lead: Lead, isFirst: boolean): Promise<boolean> => {
  if (now() >= call.not_after) {
    await giveUp(call, 'The provider did not confirm the call in time.')
    return true
  }
  // Whoever has given the attempt up meanwhile has said that it was never asked for, and that stays true.
  // Nor is the agent asked by several messages at a time.
  const at = now()
  if (!(await claimAsking(call, at, at + AGENT_TIMEOUT))) {
    const current = await getCall(call.call_id)
    return !current || callStatus(current) !== 'QUEUED'
  }
  const answer = await request(call, lead)
  if (answer.kind === 'accepted') {
    const accepted = await tellCall(call, { accepted_time: now(), provider_call_id: answer.provider_call_id })
    await noteHealth(call, answer)
    if (accepted) await cancelLate(accepted)
    return true
  }
  if (answer.kind !== 'unclear' && isFirst) {
    // First of all: of a refusal that is not written down the next look at the call can only say that its fate is not known.
    const refusal = { refused_time: now(), failure: answer.reason, ...(answer.kind === 'unsent' && { unsent_time: now() }) }
    const refused = await tellCall(call, refusal, { unless: SIGNS_OF_LIFE })
    await noteHealth(call, answer)
    if (refused) await finishCall(refused)
    return true
  }
  // A call counts once, however often the agent is asked for it: a single odd number must not pause all the others.
  if (isFirst) await noteHealth(call, answer)
  logger.warn('The agent is asked again with the same key.', { call: call.call_id, reason: answer.reason })
  return false
}

/**
 * Asks the agent to place a call whose intent has just been written, and records what it said. Always with the same idempotency
 * key, never after the call's `not_after`: then its fate is unknown, and it is never dialled again.
 * @returns false when the answer was unclear and the agent is to be asked again
 */
export const askAgent = (call: Call, lead: Lead): Promise<boolean> => ask(call, lead, true)

/**
 * Takes up a call whose asking was cut short. One whose intent is so young that it is being asked for right now is left alone.
 * One whose lead is gone is stopped. A refusal is no certain one any more: what was asked before may have been placed.
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
