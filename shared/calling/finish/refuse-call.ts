import { noteHealth } from '../../agents/agent-health.ts'
import { getBreaker } from '../../agents/breaker-store.ts'
import { reasonForCall } from '../../agents/rules/answer-reason.ts'
import type { AgentAnswer } from '../../agents/voice-agent.ts'
import { getLead } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import type { Call } from '../call.ts'
import { type Milestones, recordMilestones } from '../call-store.ts'
import { finishCall } from './finish-call.ts'

type Refusal = Extract<AgentAnswer, { reason: string }>

/** Doubted refusals of a lead, after which the next one is blamed on its call. */
const MOST_DOUBTED = 3

/**
 * Whom to blame. A platform may blame the account for what only this call has, and such a refusal costs nothing: it could repeat for ever.
 * If the agent has not failed since it last took a call, the refusal counts against the lead. After some of these, the call is to blame.
 */
const judged = async (call: Call, answer: Refusal): Promise<{ readonly answer: Refusal; readonly blame: Call['account_blame'] }> => {
  if (answer.kind !== 'refused' || answer.fault !== 'account') return { answer, blame: null }
  const [lead, { failures }] = await Promise.all([getLead(call.lead), getBreaker(call.agent)])
  if (failures > 0) return { answer, blame: 'BELIEVED' }
  if (!lead || lead.refusals < MOST_DOUBTED) return { answer, blame: 'DOUBTED' }
  return { answer: { ...answer, fault: 'call', isWhole: false, health: 'unsaid' }, blame: null }
}

/**
 * Ends a call for which certainly no phone rings. It costs no attempt when the request was not sent, or when the account is at fault.
 * Records the refusal first: after a crash without it, the next look could only record an unknown fate.
 * @param unless milestones that contradict the refusal: then nothing changes
 */
export const refuseCall = async (call: Call, given: Refusal, unless: readonly (keyof Milestones)[]): Promise<void> => {
  const { answer, blame } = await judged(call, given)
  const isFree = answer.kind === 'unsent' || blame !== null
  const refusal = { refused_time: now(), failure: reasonForCall(answer), ...(isFree && { unsent_time: now() }), account_blame: blame }
  const refused = await recordMilestones(call, refusal, { unless })
  await noteHealth(call, answer)
  if (refused) await finishCall(refused)
}
