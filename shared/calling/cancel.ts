import { getAgent } from '../agents/agent-store.ts'
import { agentOfCall, isElsewhere } from '../agents/rules/agent-address.ts'
import { type CancelAnswer, cancelCall } from '../agents/voice-agent.ts'
import { isPaused } from '../backlog/rules/holders.ts'
import type { Lead } from '../leads/lead.ts'
import { getLead } from '../leads/lead-store.ts'
import { isCallable } from '../leads/rules/status.ts'
import { now } from '../platform/clock.ts'
import { logger } from '../platform/logger.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Phone } from '../stops/compliance.ts'
import { getPhone } from '../stops/phone-store.ts'
import { isUnderStop } from '../stops/rules/under-stop.ts'
import type { Call } from './call.ts'
import { recordMilestones } from './call-store.ts'
import { watchFrom } from './finish/watch-store.ts'
import { pausesSince } from './line-store.ts'
import { callsHolding } from './rules/calls-holding.ts'
import { isAboutToEnd, mayBeAskedYet, mayBeCancelled, mayBeEnded } from './rules/dial/cancellable.ts'

const ON_ANOTHER_CALL = 'The person is on another call.'

/** Whether another call holds the phone, alone or before this one. */
const isPhoneOfOther = ({ call_id }: Call, phone: Phone): boolean => (callsHolding(phone)[0] ?? call_id) !== call_id

/** Why the person must not be talked to; null when the call may go on. */
const personStop = (call: Call, phone: Phone, lead: Lead | undefined): string | null => {
  if (!lead) return 'The lead no longer exists.'
  return isUnderStop('call', { call, lead, phone }) ? 'The person must not be called.' : null
}

/** Why a call must not be placed, or must stop ringing; null when it may go on. */
export const stopOf = async (call: Call): Promise<string | null> => {
  const [phone, pauses, lead] = await Promise.all([getPhone(call.phone_key), pausesSince(call), getLead(call.lead)])
  const stop = personStop(call, phone, lead)
  if (!lead || stop !== null) return stop
  if (!isCallable(lead.status)) return `The lead is ${lead.status}.`
  if (isPhoneOfOther(call, phone)) return ON_ANOTHER_CALL
  if (phone.other_calls.has(call.call_id)) return 'The person has called in since.'
  return pauses && isPaused({ lead, lines: pauses }) ? 'Outbound calls are paused.' : null
}

/**
 * As `stopOf`, during a conversation. A lead that was closed or paused meanwhile does not end it. A call that was given up may have lost
 * its phone to another call: then it ends, because nobody may be on two calls.
 */
export const stopOfConversation = async (call: Call): Promise<string | null> => {
  const [phone, lead] = await Promise.all([getPhone(call.phone_key), getLead(call.lead)])
  const stop = personStop(call, phone, lead)
  if (stop !== null || call.unknown_time === null || callsHolding(phone).includes(call.call_id)) return stop
  return isPhoneOfOther(call, phone) ? ON_ANOTHER_CALL : null
}

/** Another account accepts a cancel because it has no such call. */
const UNPROVEN: CancelAnswer = { kind: 'failed', reason: 'The account of the agent has changed since, so its answer proves nothing.' }

/** Asks the agent to end a call. @returns whether the agent accepted the request; `refused` when the request cannot be sent */
export const endCall = async (call: Call, reason: string): Promise<'taken' | 'refused' | 'failed'> => {
  const found = call.asked_time === null ? undefined : await getAgent(call.agent)
  if (!found) return 'refused'
  const agent = agentOfCall(found, call)
  const given = await cancelCall(agent, { callId: call.call_id, platformCallId: call.provider_call_id, reason })
  const answer = given.kind === 'taken' && isElsewhere(agent, call) ? UNPROVEN : given
  if (answer.kind === 'taken') await recordMilestones(call, { cancel_asked_time: now() })
  else logger.warn('The agent did not accept a cancel request.', { call: call.call_id, reason: answer.reason })
  return answer.kind
}

/** A conversation that must end is looked at this often until it is over. */
const LOOKED_AT_EVERY = 30 * SECOND

/** Asks the platform to end a conversation. The watch asks again until the conversation is over: a message would be given up too soon. */
const endConversation = async (call: Call, reason: string): Promise<true> => {
  const answer = isAboutToEnd(call, now()) ? 'taken' : await endCall(call, reason)
  if (answer !== 'refused') await watchFrom(call, now() + LOOKED_AT_EVERY)
  return true
}

/** Why a call must be cancelled or ended now; null when it may go on, or cannot be ended. */
export const stopAgainst = async (call: Call): Promise<string | null> => {
  if (mayBeEnded(call, now())) return stopOfConversation(call)
  return mayBeCancelled(call, now()) ? stopOf(call) : null
}

/**
 * Asks the agent to end a call that is stopped: one that nobody has answered, or a conversation on a voice platform with a person who must
 * not be called.
 * @returns false when the cancel must be tried again
 */
export const cancelIfStopped = async (call: Call): Promise<boolean> => {
  const reason = await stopAgainst(call)
  if (reason === null) return true
  if (mayBeEnded(call, now())) return endConversation(call, reason)
  if (mayBeAskedYet(call, now())) return false
  return (await endCall(call, reason)) !== 'failed'
}
