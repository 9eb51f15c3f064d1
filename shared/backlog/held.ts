import { forgetBreaker, getBreaker } from '../agents/breaker-store.ts'
import { type Breaker, isClosed, isHalfOpen } from '../agents/rules/breaker.ts'
import { now } from '../platform/clock.ts'
import { heldKey } from '../platform/keys.ts'
import type { AgentMessage } from '../platform/queues/messages.ts'
import { MINUTE, SECOND } from '../platform/values/durations.ts'
import { agentMessage, dialMessage, sendCallMessages } from './dispatch.ts'
import { dueAfter, duePages, type IndexedEntry, indexedEntry, isDueListEmpty } from './due.ts'
import { forgetLeft, mayHaveOtherAgent, takeReleaseTurn } from './marks.ts'
import { PAUSE, planHeld, planSome } from './release/plan-held.ts'
import { isSetting } from './rules/holders.ts'
import { inTurns, ownerOf } from './rules/turns.ts'

/** Leads that an agent holds: they are released when it works again, or probe it. */

/** The number of leads sent as possible probes. The first one is the probe, unless it may not be called just then. */
const PROBES = 3
/** Held leads that are read at most to find these. One owner may have many in front of everybody else's. */
const PROBES_READ = 10_000

/** The pause before the next leads are tried: these are off the list by then. */
const RETRY_PAUSE = 10 * SECOND

type Release = Omit<Extract<AgentMessage, { type: 'release' }>, 'type'>

/**
 * Moves the leads that are held for a trusted agent back to the lists of their owners, some in each run, until none is left. Only one run
 * of messages at a time does that.
 */
export const releaseHeld = async ({ agent, turn, after }: Release): Promise<void> => {
  if (!isClosed(await getBreaker(agent))) return
  const at = now()
  if (await isDueListEmpty(heldKey(agent))) return forgetBreaker(agent, at)
  if (!(await takeReleaseTurn(agent, at, turn))) return
  const next = await planSome(agent, after ?? null)
  if (next) await sendCallMessages([agentMessage({ type: 'release', agent, turn: at, ...next }, PAUSE)])
}

/** Leads that are tried at once, when lead types have left an agent that may be down. */
const RETRIED = 500

/** Tries each lead that is held for an agent once. A lead that still has this agent stays held, which costs no write. */
export const retryHeld = async (look: Omit<Extract<AgentMessage, { type: 'retry-held' }>, 'type'>): Promise<void> => {
  const { agent, began, turn, after } = look
  if (isSetting(agent)) return planHeld(look)
  const at = now()
  if (!(await takeReleaseTurn(agent, at, turn))) return
  const { entries, next } = await dueAfter(heldKey(agent), after, RETRIED)
  await sendCallMessages(entries.map((entry) => dialMessage(entry, at)))
  if (next === null) await forgetLeft(agent, began)
  else await sendCallMessages([agentMessage({ type: 'retry-held', agent, began, turn: at, after: next }, RETRY_PAUSE / SECOND)])
}

/**
 * Sends some held leads to an agent whose pause is over. The first one dialled shows whether the agent is back. The platform may
 * refuse only the leads of one owner. So leads of the owner whose call failed last are sent only when no other owner has any.
 */
export const sendProbes = async (agent: string, { owner }: Pick<Breaker, 'owner'>): Promise<void> => {
  const at = now()
  const [others, own]: [IndexedEntry[], IndexedEntry[]] = [[], []]
  for await (const page of duePages(heldKey(agent), 0, at + MINUTE, PROBES_READ)) {
    for (const entry of page.map(indexedEntry)) (entry.owner === owner ? own : others).push(entry)
    if (others.length > 0) break
  }
  const candidates = inTurns(others.length > 0 ? others : own, PROBES, ownerOf).slice(0, PROBES)
  await sendCallMessages(candidates.map((entry) => dialMessage(entry, at)))
}

/**
 * When an agent's pause is over, lets one call show whether it is back: the first one to claim the probe. Also releases held leads that
 * may have another agent by now. Plans the leads again when a setting holds them.
 */
export const probeAgent = async (agent: string): Promise<void> => {
  if (isSetting(agent)) return planHeld({ agent, began: now(), after: null })
  const breaker = await getBreaker(agent)
  if (isClosed(breaker)) return releaseHeld({ agent })
  if (isHalfOpen(breaker, now())) await sendProbes(agent, breaker)
  if (await mayHaveOtherAgent(agent)) await retryHeld({ agent, began: now(), after: null })
}
