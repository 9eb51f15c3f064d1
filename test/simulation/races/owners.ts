import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import type { Race } from './plan.ts'

/** From this id on, owners come in pairs that share a do-not-contact list. */
const FIRST = 101
/** Pairs that share all races about a single lead or phone. */
const PAIRS = 20

export const keyOf = (owner: number): string => `a-key-of-${owner}`

const isOfOwner = ({ kind }: Race): boolean => kind.startsWith('pause')

/** The owner of a race's lead, and the fellow with the same list. A race that pauses an owner has its own pair. */
export const ownersOf = (race: Race): { readonly owner: number; readonly fellow: number } => {
  const pair = isOfOwner(race) ? PAIRS + race.index : race.index % PAIRS
  return { owner: FIRST + 2 * pair, fellow: FIRST + 2 * pair + 1 }
}

const save = async (id: number, group: number, agent: { readonly url: string; readonly secret: string }): Promise<void> => {
  const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
  await saveUser({
    id,
    name: `Owner ${id}`,
    default_lead_type: 4,
    dnc_group: `group-${group}`,
    lines: 1000,
    throttle,
    webhook_secrets: ['whsec_AAAA'],
  })
  await saveApiKey(keyOf(id), { user: id, created_time: 0, revoked_time: null })
  // Each owner has an agent, because an agent that fails several calls in a row would pause everybody's calls.
  await saveAgent({ id: `agent-${id}`, url: `${agent.url}/${id}`, secrets: [agent.secret] })
  await saveLeadType(sampleLeadType({ owner: id, agent: `agent-${id}` }))
}

/** Saves both owners of each race, with all that calls need. */
export const saveOwners = async (races: readonly Race[], agent: { readonly url: string; readonly secret: string }): Promise<void> => {
  const pairs = new Map(races.map(ownersOf).map((pair) => [pair.owner, pair.fellow]))
  for (const [owner, fellow] of pairs) {
    await save(owner, owner, agent)
    await save(fellow, owner, agent)
  }
}
