import { now } from '../adapters/clock.ts'
import { setting } from '../adapters/environment.ts'
import { logger } from '../adapters/logger.ts'
import { type Answer, placeCall } from '../adapters/voice-agent.ts'
import { callRequest } from '../domain/calling/call-request.ts'
import { isCallable } from '../domain/leads/status.ts'
import { SECOND } from '../domain/time.ts'
import type { Call } from '../schema/call.ts'
import type { Lead } from '../schema/lead.ts'
import { getAgent } from '../storage/agents.ts'
import { tellCall } from '../storage/calls.ts'
import { getLeadType } from '../storage/lead-types.ts'
import { getLines } from '../storage/lines.ts'
import { getPhone } from '../storage/phones.ts'
import { settle } from './settle.ts'

/** How long one request to the agent may take. */
const PATIENCE = 5 * SECOND

const request = async (call: Call, lead: Lead): Promise<Answer> => {
  const [agent, leadType] = await Promise.all([getAgent(call.agent), getLeadType(call.owner, call.lead_type ?? 0)])
  if (!agent || !leadType) return { kind: 'refused', reason: 'The lead type or its agent is gone.' }
  const timeout = Math.min(PATIENCE, call.not_after - now())
  return placeCall(agent, call.call_id, callRequest({ call, lead, leadType, now: now(), baseUrl: setting('PUBLIC_BASE_URL') }), timeout)
}

/** Signs that a call took place, whatever another request for it was told. */
const SIGNS_OF_LIFE = ['accepted_time', 'answered_time', 'ended_time', 'completed_time'] as const

const giveUp = async (call: Call, reason: string): Promise<void> => {
  const known = await tellCall(call.call_id, { unknown_time: now(), failure: reason }, SIGNS_OF_LIFE)
  if (known) await settle(known)
}

/** Whether a stop was raised after the intent: then the agent is not asked again. */
const isStopped = async (call: Call, lead: Lead): Promise<boolean> => {
  const [phone, lines] = await Promise.all([getPhone(call.phone_key), getLines(call.owner)])
  return phone.call_dnc || lead.call_dnc || lines.paused || !isCallable(lead.status)
}

/**
 * Asks the agent to place a call whose intent is written, and records what it said. Always with the same idempotency key,
 * never after the call's `not_after`: then its fate is unknown, and it is never dialled again.
 * @returns false when the answer was unclear and the agent is to be asked again
 */
export const askAgent = async (call: Call, lead: Lead): Promise<boolean> => {
  if (now() >= call.not_after) {
    await giveUp(call, 'The provider did not confirm the call in time.')
    return true
  }
  const answer = await request(call, lead)
  switch (answer.kind) {
    case 'accepted':
      await tellCall(call.call_id, { accepted_time: now(), provider_call_id: answer.provider_call_id })
      return true
    case 'refused': {
      const refused = await tellCall(call.call_id, { refused_time: now(), failure: answer.reason }, SIGNS_OF_LIFE)
      if (refused) await settle(refused)
      return true
    }
    case 'unclear':
      logger.warn('The agent is asked again with the same key.', { call: call.call_id, reason: answer.reason })
      return false
  }
}

/**
 * Takes up a call whose asking was cut short. One whose intent is so young that it is being asked for right now is left alone:
 * the message that asks comes back by itself when it is cut short.
 * @returns as `askAgent`
 */
export const askAgain = async (call: Call, lead: Lead): Promise<boolean> => {
  if (now() < call.intent_time + PATIENCE + SECOND) return true
  if (!(await isStopped(call, lead))) return askAgent(call, lead)
  await giveUp(call, 'Stopped before the provider had confirmed the call.')
  return true
}
