import type { Agent } from '../accounts/configuration.ts'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { getUser } from '../accounts/user-store.ts'
import { noteHealth } from '../agents/agent-health.ts'
import { getAgent } from '../agents/agent-store.ts'
import { agentOfCall, isElsewhere } from '../agents/rules/agent-address.ts'
import { reasonForCall } from '../agents/rules/answer-reason.ts'
import { dialOf } from '../agents/rules/call-request.ts'
import { type AgentAnswer, type Dial, findCall, placeCall, repeatsOf } from '../agents/voice-agent.ts'
import { requestCancel, sendCancel } from '../backlog/dispatch.ts'
import type { Lead } from '../leads/lead.ts'
import { now, realNow } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { loggable, logger } from '../platform/logger.ts'
import { onceNotBusy, SHORT_PAUSE } from '../platform/table/busy.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Call } from './call.ts'
import { claimAsking, getCall, recordMilestones } from './call-store.ts'
import { callingPolicy, disclosuresOf } from './calling-policy.ts'
import { cancelIfStopped, stopOf } from './cancel.ts'
import { completeCall, NOTHING_REPORTED } from './finish/complete-call.ts'
import { finishCall } from './finish/finish-call.ts'
import { refuseCall } from './finish/refuse-call.ts'
import { watchFrom } from './finish/watch-store.ts'
import { callStatus } from './rules/call-status.ts'
import { callingHours } from './rules/calling-hours.ts'
import { AGENT_TIMEOUT, CLAIMED_FOR } from './rules/dial/intent.ts'
import { mayStart } from './rules/hours/hours.ts'
import { nextLook } from './rules/silence.ts'

interface Askable {
  readonly agent: Agent
  readonly dial: Dial
}

/** @returns undefined when the lead type or its agent no longer exists */
const askable = async (call: Call, lead: Lead): Promise<Askable | undefined> => {
  const [found, leadType] = await Promise.all([getAgent(call.agent), getLeadType(call.owner, call.lead_type ?? 0)])
  const agent = found && agentOfCall(found, call)
  const addresses = { baseUrl: setting('PUBLIC_BASE_URL'), platformBaseUrl: setting('PLATFORM_BASE_URL') }
  return agent && leadType && { agent, dial: dialOf(agent, { call, lead, leadType, disclosures: disclosuresOf(call, lead), ...addresses }) }
}

/** `agent`: an empty object when the agent no longer exists. */
type Asked = AgentAnswer & { readonly agent: Pick<Agent, 'platform'> }

/** @param until the end of the claim: no request may run longer */
const request = async (call: Call, lead: Lead, until: Instant): Promise<Asked> => {
  const asked = await askable(call, lead)
  if (!asked) return { kind: 'unsent', health: 'unsaid', reason: 'The lead type or its agent no longer exists.', agent: {} }
  // Another account does not know the key of an earlier request.
  if (isElsewhere(asked.agent, call))
    return {
      kind: 'unsent',
      health: 'unsaid',
      reason: 'The account of the agent has changed since the call was decided.',
      agent: asked.agent,
    }
  const timeout = Math.min(until, call.not_after) - now()
  // The reads took longer than the claim lasts. Another run may have asked by now.
  if (timeout <= 0)
    return {
      kind: 'unclear',
      health: 'unsaid',
      reason: 'This run was too slow to ask the agent. Another run may have asked.',
      agent: asked.agent,
    }
  return { ...(await placeCall(asked.agent, asked.dial, timeout)), agent: asked.agent }
}

/** Milestones that prove the call, even if another request for it was refused. */
const SIGNS_OF_LIFE = ['accepted_time', 'heard_time'] as const

/** Ends an attempt that the agent has not confirmed. Its fate is unknown. */
const giveUp = async (call: Call, reason: string): Promise<void> => {
  const ended = await recordMilestones(call, { unknown_time: now(), failure: reason }, { unless: SIGNS_OF_LIFE })
  if (ended) await finishCall(ended)
}

const whyUnconfirmed = ({ unclear_reason }: Call): string => unclear_reason ?? 'The provider did not confirm the call in time.'

/** Whether the call may no longer start. The known location of the lead may have changed since the intent. */
const isOutside = async (call: Call, lead: Lead): Promise<boolean> => {
  const policy = await callingPolicy(await getUser(call.owner))
  return !mayStart(callingHours({ ...lead, phone_number: call.phone_number }, policy).hours, now())
}

/** Looks at the stops again. A stop raised during the request could not cancel the call: the agent had not accepted it yet. */
const cancelLate = async (call: Call): Promise<void> => {
  if (!(await cancelIfStopped(call))) await requestCancel({ owner: call.owner, callId: call.call_id })
}

/** How long to retry a busy table. Without the record, the call may count as unknown: some platforms can neither repeat nor find a call. */
const PATIENCE = 4 * SECOND

const recordAcceptance = async (call: Call, platformCallId: string, { platform }: Pick<Agent, 'platform'>): Promise<void> => {
  const isReported = setting('PLATFORM_BASE_URL') !== ''
  const onPlatform = platform && { on_platform: true, ...(!isReported && { only_polled: true }) }
  const milestones = { accepted_time: now(), provider_call_id: platformCallId, ...onPlatform }
  const accepted = await onceNotBusy(realNow() + PATIENCE, () => recordMilestones(call, milestones), SHORT_PAUSE)
  if (!accepted) return
  await cancelLate(accepted)
  // No report ends such a call.
  if (accepted.only_polled) await watchFrom(accepted, nextLook(accepted, now()))
}

/** The number does not exist: that ends the lead, like an agent's report of it. */
const endAsBadNumber = async (call: Call, answer: Extract<AgentAnswer, { kind: 'refused' }>): Promise<void> => {
  await recordMilestones(call, { failure: reasonForCall(answer) })
  await noteHealth(call, answer)
  await completeCall(call, { ...NOTHING_REPORTED, at: now(), outcome: 'disconnected' })
}

/** Records that the agent has accepted a call, or has certainly refused it. */
const recordAnswer = async (call: Call, answer: AgentAnswer, agent: Asked['agent']): Promise<void> => {
  if (answer.kind === 'accepted') {
    await recordAcceptance(call, answer.platformCallId, agent)
    await noteHealth(call, answer)
  } else if (answer.kind === 'refused' && answer.fault === 'number') await endAsBadNumber(call, answer)
  else await refuseCall(call, answer, SIGNS_OF_LIFE)
}

/** Records that nobody knows yet whether the agent has the call. @returns as `askAgent` */
const recordUnclear = async (
  call: Call,
  answer: Extract<AgentAnswer, { reason: string }>,
  agent: Asked['agent'],
  isFirst: boolean,
): Promise<boolean> => {
  // Each call counts once for the agent's health: one odd number must not pause all other calls.
  if (isFirst) await noteHealth(call, answer)
  const repeats = repeatsOf(agent)
  if (repeats.kind === 'neither') {
    await giveUp(call, reasonForCall(answer))
    return true
  }
  if (isFirst) await recordMilestones(call, { unclear_reason: reasonForCall(answer) })
  logger.warn('The agent has not confirmed a call.', { call: call.call_id, reason: answer.reason, next: repeats.kind })
  return false
}

/** Sends a request for the call, and records the answer. @returns as `askAgent` */
const ask = async (call: Call, lead: Lead, isFirst: boolean): Promise<boolean> => {
  const at = now()
  const until = at + AGENT_TIMEOUT
  const isClaimed = isFirst && at < call.intent_time + CLAIMED_FOR
  // The claim fails once the attempt is given up, and while another message asks the agent.
  if (!isClaimed && !(await claimAsking(call, { at, until, isFirst }))) {
    const current = await getCall(call.call_id)
    return !current || callStatus(current) !== 'QUEUED'
  }
  const { agent, ...answer } = await request(call, lead, until)
  // A refusal of a repeat proves nothing: an earlier request may have placed the call.
  const isClear = answer.kind === 'accepted' || (isFirst && answer.kind !== 'unclear')
  if (!isClear) return recordUnclear(call, answer, agent, isFirst)
  await recordAnswer(call, answer, agent)
  return true
}

const NOT_IN_TIME = { kind: 'unsent', health: 'unsaid', reason: 'The provider was not asked in time.' } as const

/**
 * Asks the agent to place a call whose intent has just been written, and records the answer. After `not_after`, it sends no request: it
 * refuses the call, unless another run has asked or given up meanwhile.
 * @returns false when the agent has not confirmed the call yet, and the message must come back
 */
export const askAgent = async (call: Call, lead: Lead): Promise<boolean> => {
  if (now() < call.not_after) return ask(call, lead, true)
  await refuseCall(call, NOT_IN_TIME, [...SIGNS_OF_LIFE, 'asking_until', 'unknown_time'])
  return true
}

/** Never asks again: looks whether the platform has the call, and takes it over. */
const lookUp = async (call: Call, { agent, dial }: Askable): Promise<boolean> => {
  const isLast = now() >= call.not_after
  try {
    const found = await findCall(agent, dial)
    if (found !== null) {
      await recordAcceptance(call, found, agent)
      return true
    }
  } catch (error) {
    logger.warn('A call could not be looked up.', { call: call.call_id, error: loggable(error) })
    if (isLast) await giveUp(call, 'The platform did not confirm the call, and could not say whether it has the call.')
    return isLast
  }
  if (isLast) await giveUp(call, 'The platform did not confirm the call, and does not know it.')
  return isLast
}

/** Whether another request for the call is safe. */
const mayRepeat = (call: Call, { agent }: Askable): boolean => {
  const repeats = repeatsOf(agent)
  if (repeats.kind !== 'repeatable' || isElsewhere(agent, call)) return false
  return now() < Math.min(call.not_after, call.intent_time + repeats.seconds * SECOND)
}

/** Other runs leave a call alone for this long: its first request may still be running. */
const LEFT_ALONE_FOR = CLAIMED_FOR + AGENT_TIMEOUT

/**
 * Resumes a call whose request was cut short: asks again with the same key, looks the call up, or gives up, as the agent's platform
 * permits. A call so young that its first request may still be running is left alone. A call that is stopped, or whose lead is gone, is
 * given up. A refusal of a repeat proves nothing: an earlier request may have placed the call.
 * @returns as `askAgent`
 */
export const askAgentAgain = async (call: Call, lead: Lead | undefined): Promise<boolean> => {
  if (now() < call.intent_time + LEFT_ALONE_FOR) return false
  const asked = lead && (await askable(call, lead))
  if (asked && repeatsOf(asked.agent).kind === 'findable') return lookUp(call, asked)
  if (!lead || (await stopOf(call))) {
    // Send this first: after a crash between the two, nothing would send it. Delay it: a call can be cancelled only after it is given up.
    await sendCancel({ owner: call.owner, callId: call.call_id }, 1)
    await giveUp(call, 'Stopped before the provider had confirmed the call.')
    return true
  }
  if (await isOutside(call, lead)) {
    await giveUp(call, 'The calling hours ended before the provider had confirmed the call.')
    return true
  }
  if (asked && mayRepeat(call, asked)) return ask(call, lead, false)
  await giveUp(call, whyUnconfirmed(call))
  return true
}
