import * as v from 'valibot'
import type { Lead } from '#shared/leads/lead.ts'
import { BLOCKS_PER_GROUP, groupOf } from '#shared/platform/keys.ts'
import type { Suspect } from './kind.ts'
import { type ListState, readListState } from './list-state.ts'
import { OwnerPlaces } from './owner-places.ts'

const miscounted = ({ holes, totals, groups }: ListState): number[] => {
  const all = new Set([...[...holes.keys()].map(groupOf), ...totals.keys(), ...groups.keys()])
  return [...all].filter((group) => {
    const counted = groups.get(group) ?? new Map<number, number>()
    const blocks = Array.from({ length: BLOCKS_PER_GROUP }, (_, index) => group * BLOCKS_PER_GROUP + index)
    const sum = blocks.reduce((total, block) => total + (holes.get(block)?.size ?? 0), 0)
    return (totals.get(group) ?? 0) !== sum || blocks.some((block) => (holes.get(block)?.size ?? 0) !== (counted.get(block) ?? 0))
  })
}

/** Undefined when an item of the list is malformed. The kind `unreadable` reports that. */
const readableState = async (owner: number): Promise<ListState | undefined> => {
  try {
    return await readListState(owner)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}

/** Finds suspects in owners' lists. */
export class Lists {
  readonly #owners = new Map<number, OwnerPlaces>()
  readonly #twice: number[] = []

  #placesOf(owner: number): OwnerPlaces {
    const places = this.#owners.get(owner) ?? new OwnerPlaces()
    this.#owners.set(owner, places)
    return places
  }

  owner(owner: number): void {
    this.#placesOf(owner)
  }

  lead({ id, owner, position }: Pick<Lead, 'id' | 'owner' | 'position'>): void {
    const other = this.#placesOf(owner).put(position, id)
    if (other !== 0 && other !== id) this.#twice.push(Math.max(id, other))
  }

  async *suspects(): AsyncGenerator<Suspect> {
    for (const lead of this.#twice) yield { kind: 'position-twice', where: `${lead}` }
    for (const [owner, places] of this.#owners) {
      const state = await readableState(owner)
      if (!state) continue
      for (const lead of places.behind(state)) yield { kind: 'counter-behind', where: `${lead}` }
      for (const positions of state.holes.values()) {
        for (const position of positions) if (places.at(position) !== 0) yield { kind: 'hole-taken', where: `${places.at(position)}` }
      }
      for (const group of miscounted(state)) yield { kind: 'hole-counts', where: `${owner}/${group}` }
      // Most of these belong to leads that were created after the scan. The second check drops them.
      for (const { first, last } of places.untold(state)) yield { kind: 'position-empty', where: `${owner}/${first}-${last}` }
    }
  }
}
