import { getBreaker } from '../agents/breaker-store.ts'
import { type Breaker, isClosed, isHalfOpen } from '../agents/rules/breaker.ts'
import { now } from '../platform/clock.ts'
import { heldKey } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { MINUTE } from '../platform/values/durations.ts'
import { dialMessage, sendCallMessages } from './dispatch.ts'
import { dueBetween, type IndexedEntry } from './due.ts'
import { mayHaveOtherAgent } from './marks.ts'
import { allOwners } from './owners.ts'
import { planHeld } from './release/plan-held.ts'
import { isSetting, partOf } from './rules/holders.ts'
import { inTurns, ownerOf } from './rules/turns.ts'

/** The number of leads sent as possible probes. The first one is the probe, unless it may not be called just then. */
const PROBES = 3
/** Owners whose held leads are read at once. */
const LANES = 25
/** Leads that are read of the list of an earlier version, which has the leads of all owners. */
const FORMER_READ = 500

/** Owners in the order of their turns. Begins after the owner whose call failed last, and ends with that owner. */
const ownersAfter = async (failed: number | null): Promise<number[]> => {
  const owners = (await allOwners()).toSorted((one, other) => one - other)
  const start = owners.findLastIndex((owner) => owner <= (failed ?? 0)) + 1
  return [...owners.slice(start), ...owners.slice(0, start)]
}

/** The first held leads of an owner that are due within a minute. */
const probesOf = (agent: string, owner: number): Promise<IndexedEntry[]> =>
  dueBetween(heldKey(partOf(agent, owner)), 0, now() + MINUTE, PROBES)

/** The first held leads of an agent that are due within a minute. Each probe may go to another owner. */
const possibleProbes = async (agent: string, failed: number | null): Promise<IndexedEntry[]> => {
  const found = await dueBetween(heldKey(agent), 0, now() + MINUTE, FORMER_READ)
  const owners = await ownersAfter(failed)
  for (let from = 0; from < owners.length && new Set(found.map(ownerOf)).size < PROBES; from += LANES)
    found.push(...(await inLanes(LANES, owners.slice(from, from + LANES), (owner) => probesOf(agent, owner))).flat())
  const others = found.filter(({ owner }) => owner !== failed)
  return others.length > 0 ? others : found
}

/**
 * Sends some held leads to an agent whose pause is over. The first one dialled shows whether the agent is back. The platform may
 * refuse only the leads of one owner. So leads of the owner whose call failed last are sent only when no other owner has any.
 * @param refused the owner of a probe that was refused. Further leads of this owner are found without a search.
 */
export const sendProbes = async (agent: string, { owner }: Pick<Breaker, 'owner'>, refused?: number): Promise<void> => {
  const at = now()
  const near = refused === undefined ? [] : await probesOf(agent, refused)
  const candidates = inTurns(near.length > 0 ? near : await possibleProbes(agent, owner), PROBES, ownerOf).slice(0, PROBES)
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
  if (isClosed(breaker)) return planHeld(look)
  if (isHalfOpen(breaker, now())) await sendProbes(agent, breaker)
  if (await mayHaveOtherAgent(agent)) await planHeld(look)
}
