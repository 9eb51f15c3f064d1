import { noteHealth } from '../../agents/agent-health.ts'
import type { AgentAnswer } from '../../agents/voice-agent.ts'
import { now } from '../../platform/clock.ts'
import type { Call } from '../call.ts'
import { type Milestones, recordMilestones } from '../call-store.ts'
import { finishCall } from './finish-call.ts'

/**
 * Ends a call for which certainly no phone rings. It costs no attempt when the request was not sent, or when the account is at fault.
 * Records the refusal first: after a crash without it, the next look could only record an unknown fate.
 * @param unless milestones that contradict the refusal: then nothing changes
 */
export const refuseCall = async (
  call: Call,
  answer: Extract<AgentAnswer, { reason: string }>,
  unless: readonly (keyof Milestones)[],
): Promise<void> => {
  const isFree = answer.kind === 'unsent' || (answer.kind === 'refused' && answer.fault === 'account')
  const refusal = { refused_time: now(), failure: answer.reason, ...(isFree && { unsent_time: now() }) }
  const refused = await recordMilestones(call, refusal, { unless })
  await noteHealth(call, answer)
  if (refused) await finishCall(refused)
}
