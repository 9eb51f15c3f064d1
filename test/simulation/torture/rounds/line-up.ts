import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import type { Chance } from '../../lateness/chance.ts'
import type { CallWorld } from '../../platforms/call-world.ts'
import type { Played } from '../../platforms/played-platform.ts'
import type { Party } from './parties.ts'

export interface RoundLead {
  readonly id: number
  readonly phone: string
  readonly party: Party
}

/** The leads of a round, all of one owner, and the agents that call them. */
export interface LineUp {
  readonly owner: number
  readonly key: string
  readonly lines: number
  readonly leads: readonly RoundLead[]
  readonly agents: ReadonlyMap<Party, Played>
}

/** Lines for each lead: some leads must wait for one. */
const LINES_PER_LEAD = 0.4
/** One phone in so many is that of the lead before, whose calls another agent makes. */
const SHARED = 4
const FIRST_OWNER = 500

/**
 * Makes an owner with a lead type for each platform, and leads. Neighbours in the list are called by different agents, so that those of one
 * phone have calls of two platforms.
 */
export const lineUp = async (
  world: CallWorld,
  parties: readonly Party[],
  { round, each }: { readonly round: number; readonly each: number },
): Promise<LineUp> => {
  const owner = FIRST_OWNER + round
  const key = `a-key-of-${owner}`
  const lines = Math.max(2, Math.floor(each * parties.length * LINES_PER_LEAD))
  const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
  const about = { name: `Owner ${owner}`, default_lead_type: 4, dnc_group: `group-${owner}`, webhook_secrets: ['whsec_AAAA'] }
  await saveUser({ id: owner, ...about, lines, throttle })
  await saveApiKey(key, { user: owner, created_time: 0, revoked_time: null })
  const agents = new Map<Party, Played>()
  const typeOf = (place: number): number => 1000 * (round + 1) + place
  for (const [place, party] of parties.entries()) {
    agents.set(party, await world.addAgent(party.platform, { id: typeOf(place), owner, adapter: party.adapter, endOf: () => undefined }))
  }
  const leads: RoundLead[] = []
  for (let index = 0; index < each * parties.length; index++) {
    const place = index % parties.length
    const party = parties[place]
    if (!party) break
    const shared = index % SHARED === SHARED - 1 ? leads.at(-1)?.phone : undefined
    const phone = shared ?? `+1212${200 + round}${`${1000 + index}`}`
    const email = `person${index}@example.com`
    leads.push({ id: await world.createLead({ phone_number: phone, email, lead_type: typeOf(place) }, key), phone, party })
  }
  return { owner, key, lines, leads, agents }
}

/** A call's end at its platform, and how long it takes until then. */
export const courseOf = (chance: Chance, { ends }: Party) => {
  const drawn = ends[Math.floor(chance.between(0, ends.length))]
  if (!drawn) throw new Error('A platform has no ends.')
  return { ...drawn, lasts: chance.between(...LASTS) }
}
/** Milliseconds. Shorter than the silence after which a call without any report counts as over. */
const LASTS = [5_000, 480_000] as const
