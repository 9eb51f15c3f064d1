import { forgetBreaker, getBreaker } from '../agents/breaker-store.ts'
import { type Breaker, isClosed, isHalfOpen } from '../agents/rules/breaker.ts'
import { now } from '../platform/clock.ts'
import { heldKey } from '../platform/keys.ts'
import { MINUTE } from '../platform/values/durations.ts'
import { dialMessage, sendCallMessages } from './dispatch.ts'
import { duePages, type IndexedEntry, indexedEntry, isDueListEmpty } from './due.ts'
import { mayHaveOtherAgent } from './marks.ts'
import { planHeld } from './release/plan-held.ts'
import { isSetting } from './rules/holders.ts'
import { inTurns, ownerOf } from './rules/turns.ts'

/** The number of leads sent as possible probes. The first one is the probe, unless it may not be called just then. */
const PROBES = 3
/** Held leads that are read at most to find these. One owner may have many in front of everybody else's. */
const PROBES_READ = 10_000

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
 * The sweep's look at a holder. Plans its leads again if they may be called now: the setting has changed, the agent works, or some leads may
 * have another agent. When an agent's pause is over, lets one call show whether it is back: the first one to claim the probe.
 */
export const probeAgent = async (agent: string): Promise<void> => {
  const look = { agent, began: now(), after: null }
  if (isSetting(agent)) return planHeld(look)
  const breaker = await getBreaker(agent)
  if (isClosed(breaker)) return (await isDueListEmpty(heldKey(agent))) ? forgetBreaker(agent, look.began) : planHeld(look)
  if (isHalfOpen(breaker, now())) await sendProbes(agent, breaker)
  if (await mayHaveOtherAgent(agent)) await planHeld(look)
}
