import { now } from '../adapters/clock.ts'
import { loggable, logger } from '../adapters/logger.ts'
import type { Answer } from '../adapters/voice-agent.ts'
import { isClosed, isHalfOpen, opening } from '../domain/calling/breaker.ts'
import { inTurns } from '../domain/calling/turns.ts'
import { MINUTE, SECOND } from '../domain/durations.ts'
import { formatInstant } from '../domain/time.ts'
import type { Call } from '../schema/call.ts'
import type { Agent } from '../schema/configuration.ts'
import { getAgent } from '../storage/agents.ts'
import { closeBreaker, countFailure, forgetBreaker, getBreaker, openBreaker } from '../storage/breakers.ts'
import { dueBetween, type IndexedEntry } from '../storage/due.ts'
import { heldKey } from '../storage/keys.ts'
import { agentMessage, dialMessage, sendCallMessages } from './dispatch.ts'

/** More than one may be a probe: the first is, unless it may not be called just then. */
const PROBES = 3

/** Held leads that are read at a time, and of these how many are sent: at most, and of one owner. */
const READ = 10_000
const CHUNK = 1000
const OWNERS_CHUNK = 100
/** Until the next chunk: the leads of this one are off the list by then. */
const CHUNK_PAUSE = 10 * SECOND

const noteFailure = async (agent: Agent, callId: string, failure: string): Promise<void> => {
  const counted = await countFailure(agent)
  const next = opening(counted, { callId, failure, now: now() })
  if (!next || !(await openBreaker(agent.id, counted, next))) return
  logger.warn('An agent is not asked for a while.', { agent: agent.id, until: formatInstant(next.open_until), reason: next.reason })
}

const noteSuccess = async (agent: Agent): Promise<void> => {
  if ((await getBreaker(agent.id)).failures === 0) return
  if (!(await closeBreaker(agent.id, now()))) return
  logger.info('An agent is back.', { agent: agent.id })
  try {
    await sendCallMessages([agentMessage('release', agent.id, 0)])
  } catch (error) {
    logger.warn('Left to the sweep: the leads held for an agent could not be sent.', { agent: agent.id, error: loggable(error) })
  }
}

/** Takes note of how an agent answered a request to place a call: failures in a row pause it, an answer as it should be ends that. */
export const noteHealth = async (call: Call, answer: Answer): Promise<void> => {
  const agent = answer.health === 'unsaid' ? undefined : await getAgent(call.agent)
  if (!agent) return
  if (answer.kind === 'accepted' || answer.health === 'sound') await noteSuccess(agent)
  else await noteFailure(agent, call.call_id, answer.reason)
}

const held = (agent: string, limit: number): Promise<IndexedEntry[]> => dueBetween(heldKey(agent), 0, now() + MINUTE, limit)

/** @returns whether leads are held for the agent */
const sendChunk = async (agent: string): Promise<boolean> => {
  const entries = await held(agent, READ)
  const at = now()
  const chunk = inTurns(entries, OWNERS_CHUNK).slice(0, CHUNK)
  await sendCallMessages(chunk.map((entry) => dialMessage(entry, at)))
  if (entries.length === 0) await forgetBreaker(agent, at)
  return entries.length > 0
}

/** Sends on the leads that are held for a trusted agent, a chunk at a time, owners taking turns, until there are none. */
export const releaseHeld = async (agent: string): Promise<void> => {
  if (!isClosed(await getBreaker(agent))) return
  if (await sendChunk(agent)) await sendCallMessages([agentMessage('release', agent, CHUNK_PAUSE / SECOND)])
}

/** Sends some held leads to an agent whose pause is over: the first of them to be dialled shows whether it is back. */
export const sendProbes = async (agent: string): Promise<void> => {
  const at = now()
  const candidates = inTurns(await held(agent, READ), PROBES).slice(0, PROBES)
  await sendCallMessages(candidates.map((entry) => dialMessage(entry, at)))
}

/**
 * Has one call show whether an agent is back, when its pause is over: the first of those held for it to claim that. Does once more
 * for one that is trusted what may have been lost.
 */
export const probeAgent = async (agent: string): Promise<void> => {
  const breaker = await getBreaker(agent)
  if (isClosed(breaker)) {
    await sendChunk(agent)
    return
  }
  if (isHalfOpen(breaker, now())) await sendProbes(agent)
}
