import type { Lead } from '#shared/leads/lead.ts'
import { BLOCKS_PER_GROUP, groupOf } from '#shared/platform/keys.ts'
import { unlessMalformed } from './items.ts'
import type { Suspect } from './kind.ts'
import { LeadsByPosition } from './leads-by-position.ts'
import { type ListState, readListState } from './list-state.ts'

const miscounted = ({ holes, totals, groups }: ListState): number[] => {
  const all = new Set([...[...holes.keys()].map(groupOf), ...totals.keys(), ...groups.keys()])
  return [...all].filter((group) => {
    const counted = groups.get(group) ?? new Map<number, number>()
    const blocks = Array.from({ length: BLOCKS_PER_GROUP }, (_, index) => group * BLOCKS_PER_GROUP + index)
    const sum = blocks.reduce((total, block) => total + (holes.get(block)?.size ?? 0), 0)
    return (totals.get(group) ?? 0) !== sum || blocks.some((block) => (holes.get(block)?.size ?? 0) !== (counted.get(block) ?? 0))
  })
}

/** Finds suspects in owners' lists. */
export class Lists {
  readonly #owners = new Map<number, LeadsByPosition>()
  readonly #twice: number[] = []

  #leadsOf(owner: number): LeadsByPosition {
    const leads = this.#owners.get(owner) ?? new LeadsByPosition()
    this.#owners.set(owner, leads)
    return leads
  }

  owner(owner: number): void {
    this.#leadsOf(owner)
  }

  lead({ id, owner, position }: Pick<Lead, 'id' | 'owner' | 'position'>): void {
    const other = this.#leadsOf(owner).put(position, id)
    if (other !== 0 && other !== id) this.#twice.push(Math.max(id, other))
  }

  async *suspects(): AsyncGenerator<Suspect> {
    for (const lead of this.#twice) yield { kind: 'position-twice', where: `${lead}` }
    for (const [owner, leads] of this.#owners) {
      const state = await unlessMalformed(() => readListState(owner))
      if (!state) continue
      for (const lead of leads.behind(state)) yield { kind: 'counter-behind', where: `${lead}` }
      for (const positions of state.holes.values()) {
        for (const position of positions) if (leads.at(position) !== 0) yield { kind: 'hole-taken', where: `${leads.at(position)}` }
      }
      for (const group of miscounted(state)) yield { kind: 'hole-counts', where: `${owner}/${group}` }
      // Most of these belong to leads that were created after the scan. The second check drops them.
      for (const { first, last } of leads.empty(state)) yield { kind: 'position-empty', where: `${owner}/${first}-${last}` }
    }
  }
}
