import type { Agent } from '../accounts/configuration.ts'
import { agentMessage, sendCallMessages } from '../backlog/dispatch.ts'
import type { Call } from '../calling/call.ts'
import { now } from '../platform/clock.ts'
import { loggable, logger } from '../platform/logger.ts'
import { formatInstant } from '../platform/values/time.ts'
import { getAgent } from './agent-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from './breaker-store.ts'
import { isElsewhere } from './rules/agent-address.ts'
import { isClosed, isProbeOf, opening } from './rules/breaker.ts'
import type { AgentAnswer } from './voice-agent.ts'

interface Failure {
  readonly reason: string
  /** Whether the failure certainly affects every call of the agent, and not only this one. */
  readonly isWhole: boolean
}

const failureIn = (answer: AgentAnswer): Failure | undefined => {
  if (answer.kind === 'accepted') return answer.warning === undefined ? undefined : { reason: answer.warning, isWhole: true }
  if (answer.health === 'sound') return undefined
  return { reason: answer.reason, isWhole: answer.kind === 'refused' && answer.isWhole === true }
}

const noteFailure = async (agent: Agent, call: Call, { reason, isWhole }: Failure): Promise<void> => {
  const counted = await countFailure(agent, reason)
  const next = opening(counted, { isProbe: isProbeOf(counted, call), failure: reason, isWhole, now: now() })
  if (!next || !(await openBreaker(agent.id, counted, { ...next, owner: call.owner }))) return
  logger.warn('An agent keeps failing. It gets no calls for a while.', {
    agent: agent.id,
    call: call.call_id,
    until: formatInstant(next.open_until),
    reason: next.reason,
  })
}

const close = async (agent: Agent): Promise<void> => {
  if (!(await closeBreaker(agent.id, now()))) return
  logger.info('An agent answers again.', { agent: agent.id })
  try {
    await sendCallMessages([agentMessage({ type: 'probe', agent: agent.id }, 0)])
  } catch (error) {
    logger.warn('The release of leads for an agent could not be sent. The sweep will send it.', { agent: agent.id, error: loggable(error) })
  }
}

/** While the breaker is open, an accepted call proves nothing if the platform may still refuse it later. */
const noteSuccess = async (agent: Agent, { isProvisional }: AgentAnswer): Promise<void> => {
  // Mostly nothing has failed, which an old read shows. A failure that it misses is forgotten at the next success.
  if ((await getBreaker(agent.id, { mayBeOld: true })).failures === 0) return
  const breaker = await getBreaker(agent.id)
  if (breaker.failures > 0 && (isClosed(breaker) || !isProvisional)) await close(agent)
}

const noteAnswer = async (call: Call, answer: AgentAnswer): Promise<void> => {
  const agent = answer.health === 'unsaid' ? undefined : await getAgent(call.agent)
  // A repeat goes to the address that placed the call. Its answer says nothing about a new address.
  if (!agent || isElsewhere(agent, call)) return
  const failure = failureIn(answer)
  if (failure) await noteFailure(agent, call, failure)
  else await noteSuccess(agent, answer)
}

const noteProbe = async (call: Call): Promise<void> => {
  const [agent, breaker] = await Promise.all([getAgent(call.agent), getBreaker(call.agent)])
  if (agent && isProbeOf(breaker, call)) await close(agent)
}

/** Never throws, because the result of the call must not depend on it. */
const note = async (call: Call, noted: Promise<void>): Promise<void> => {
  try {
    await noted
  } catch (error) {
    logger.error('The health of an agent could not be recorded.', { agent: call.agent, call: call.call_id, error: loggable(error) })
  }
}

/** Records how an agent answered a request to place a call. Failures in a row open its breaker; a sound answer closes it. */
export const noteHealth = (call: Call, answer: AgentAnswer): Promise<void> => note(call, noteAnswer(call, answer))

/** Closes the breaker when a platform reports a probe call without a refusal. */
export const noteReport = async (call: Call): Promise<void> => {
  if (call.verdicts['capacity'] === 'PROBE') await note(call, noteProbe(call))
}
