import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { breakerKey } from '#shared/platform/keys.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import type { Race } from './plan.ts'
import type { Plant } from './plants.ts'

/** From this id on, owners come in pairs that share a do-not-contact list. */
const FIRST = 101
/** Pairs that share all races about a single lead or phone. */
const PAIRS = 20

/** The lead type of leads that need no consent, and of those that need a written one. */
const PLAIN = 4
export const DEMANDING = 5
export const DEMANDED = 'written'

export const keyOf = (owner: number): string => `a-key-of-${owner}`

const isOfOwner = ({ kind, plant }: Race): boolean => kind.startsWith('pause') || plant === 'demand'

/** The owner of a race's lead, and the fellow with the same list. A race that pauses an owner, or changes its lead type, has its own pair. */
export const ownersOf = (race: Race): { readonly owner: number; readonly fellow: number } => {
  const pair = isOfOwner(race) ? PAIRS + race.index : race.index % PAIRS
  return { owner: FIRST + 2 * pair, fellow: FIRST + 2 * pair + 1 }
}

interface Agent {
  readonly url: string
  readonly secret: string
}

const save = async (id: number, group: number, agent: Agent, plant: Plant | null): Promise<void> => {
  const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
  await saveUser({
    id,
    name: `Owner ${id}`,
    default_lead_type: PLAIN,
    dnc_group: `group-${group}`,
    lines: 1000,
    throttle,
    webhook_secrets: ['whsec_AAAA'],
  })
  await saveApiKey(keyOf(id), { user: id, created_time: 0, revoked_time: null })
  // Each owner has an agent, because an agent that fails several calls in a row would pause everybody's calls.
  await saveAgent({ id: `agent-${id}`, url: `${agent.url}/${id}`, secrets: [agent.secret] })
  // No lead waits for this agent. For each mark, the sweep would read a list of each owner: hundreds of thousands of reads.
  await deleteItem(breakerKey(`agent-${id}`))
  await saveLeadType(sampleLeadType({ id: PLAIN, owner: id, agent: `agent-${id}` }))
  await saveLeadType(sampleLeadType({ id: DEMANDING, owner: id, agent: `agent-${id}`, consent_type: plant === 'demand' ? null : DEMANDED }))
}

/** Saves both owners of each race, with all that calls need. */
export const saveOwners = async (races: readonly Race[], agent: Agent): Promise<void> => {
  const pairs = new Map(races.map((race) => [ownersOf(race).owner, race]))
  for (const [owner, race] of pairs) {
    await save(owner, owner, agent, race.plant)
    await save(ownersOf(race).fellow, owner, agent, race.plant)
  }
}
