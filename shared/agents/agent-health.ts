import type { Agent } from '../accounts/configuration.ts'
import { agentMessage, sendCallMessages } from '../backlog/dispatch.ts'
import type { Call } from '../calling/call.ts'
import { now } from '../platform/clock.ts'
import { loggable, logger } from '../platform/logger.ts'
import { formatInstant } from '../platform/values/time.ts'
import { getAgent } from './agent-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from './breaker-store.ts'
import { opening } from './rules/breaker.ts'
import type { AgentAnswer } from './voice-agent.ts'

interface Failure {
  readonly reason: string
  /** The failure certainly meets every call of the agent. */
  readonly isWhole: boolean
}

const failureIn = (answer: AgentAnswer): Failure | undefined => {
  if (answer.kind === 'accepted') return answer.warning === undefined ? undefined : { reason: answer.warning, isWhole: true }
  if (answer.health === 'sound') return undefined
  return { reason: answer.reason, isWhole: answer.kind === 'refused' && answer.isWhole === true }
}

const noteFailure = async (agent: Agent, callId: string, { reason, isWhole }: Failure): Promise<void> => {
  const counted = await countFailure(agent, reason)
  const next = opening(counted, { callId, failure: reason, isWhole, now: now() })
  if (!next || !(await openBreaker(agent.id, counted, next))) return
  logger.warn('An agent keeps failing. It gets no calls for a while.', {
    agent: agent.id,
    until: formatInstant(next.open_until),
    reason: next.reason,
  })
}

const noteSuccess = async (agent: Agent): Promise<void> => {
  if ((await getBreaker(agent.id)).failures === 0) return
  if (!(await closeBreaker(agent.id, now()))) return
  logger.info('An agent answers again.', { agent: agent.id })
  try {
    await sendCallMessages([agentMessage({ type: 'release', agent: agent.id }, 0)])
  } catch (error) {
    logger.warn('The release of leads for an agent could not be sent. The sweep will send it.', { agent: agent.id, error: loggable(error) })
  }
}

const note = async (call: Call, answer: AgentAnswer): Promise<void> => {
  const agent = answer.health === 'unsaid' ? undefined : await getAgent(call.agent)
  if (!agent) return
  const failure = failureIn(answer)
  if (failure) await noteFailure(agent, call.call_id, failure)
  else await noteSuccess(agent)
}

/**
 * Records how an agent answered a request to place a call. Failures in a row open its breaker; a sound answer closes it.
 * Never throws, because the result of the call must not depend on it.
 */
export const noteHealth = async (call: Call, answer: AgentAnswer): Promise<void> => {
  try {
    await note(call, answer)
  } catch (error) {
    logger.error('The health of an agent could not be recorded.', { agent: call.agent, call: call.call_id, error: loggable(error) })
  }
}
