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

interface Judged {
  readonly answer: Refusal
  readonly blame: Call['account_blame']
}

/** An agent of our own protocol has no account. When it is down, a probe may show it only by a status such as 404. */
const isOfFailingAgent = ({ verdicts }: Call, { health }: Refusal): boolean => verdicts['capacity'] === 'PROBE' && health === 'failing'

/** Whether certainly all calls are refused. The first such refusal is no proof: the agent may have taken all calls but this one. */
const isBelieved = async (call: Call, answer: Refusal): Promise<boolean> =>
  answer.kind === 'refused' && answer.isWhole === true && (await getBreaker(call.agent)).failures > 0

/**
 * Decides whether the agent or its account is to blame. If that is certain, the refusal costs the lead nothing. If it is a guess, the cause
 * may be this call, and the refusal could repeat for ever. So it counts against the lead. After some of these, the call is to blame.
 */
const judged = async (call: Call, answer: Refusal): Promise<Judged> => {
  if (answer.kind !== 'refused') return { answer, blame: null }
  if (answer.fault !== 'account') return { answer, blame: isOfFailingAgent(call, answer) ? 'BELIEVED' : null }
  if (await isBelieved(call, answer)) return { answer, blame: 'BELIEVED' }
  const lead = await getLead(call.lead)
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
  const isFree = answer.kind === 'unsent' || (answer.kind === 'refused' && answer.fault === 'account')
  const refusal = { refused_time: now(), failure: reasonForCall(answer), ...(isFree && { unsent_time: now() }), account_blame: blame }
  const refused = await recordMilestones(call, refusal, { unless })
  // A refusal may be delivered several times at once. Only the run that records it counts a failure.
  if (!refused) return
  await noteHealth(call, answer)
  await finishCall(refused)
}
