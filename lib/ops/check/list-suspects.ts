import * as v from 'valibot'
import type { Lead } from '#shared/schema/lead.ts'
import { BLOCKS_PER_GROUP, blockOf, groupOf, POSITIONS_PER_BLOCK } from '#shared/storage/keys.ts'
import { leadIdsAt } from '#shared/storage/lead-index.ts'
import type { Suspect } from './kind.ts'
import { type ListState, readListState } from './list-state.ts'

/** An owner's places, block by block: the id of the lead that stands at each, four bytes. */
class Places {
  readonly #blocks = new Map<number, Int32Array>()
  max = 0

  /** @returns the lead that stands there already; 0: none */
  put(position: number, lead: number): number {
    const index = blockOf(position)
    const block = this.#blocks.get(index) ?? new Int32Array(POSITIONS_PER_BLOCK)
    this.#blocks.set(index, block)
    const before = block[position % POSITIONS_PER_BLOCK] ?? 0
    block[position % POSITIONS_PER_BLOCK] = lead
    this.max = Math.max(this.max, position)
    return before
  }

  isTaken(position: number): boolean {
    return (this.#blocks.get(blockOf(position))?.[position % POSITIONS_PER_BLOCK] ?? 0) !== 0
  }
}

/** As few ranges as there are. */
const rangesOf = (positions: readonly number[]): { first: number; last: number }[] => {
  const ranges: { first: number; last: number }[] = []
  for (const position of positions) {
    const range = ranges.at(-1)
    if (range && range.last + 1 === position && range.last - range.first < POSITIONS_PER_BLOCK) range.last = position
    else ranges.push({ first: position, last: position })
  }
  return ranges
}

const miscounted = ({ holes, totals, groups }: ListState): number[] => {
  const real = new Map<number, number>()
  for (const position of holes) real.set(blockOf(position), (real.get(blockOf(position)) ?? 0) + 1)
  const all = new Set([...[...real.keys()].map(groupOf), ...totals.keys(), ...groups.keys()])
  return [...all].filter((group) => {
    const counted = groups.get(group) ?? new Map<number, number>()
    const blocks = Array.from({ length: BLOCKS_PER_GROUP }, (_, index) => group * BLOCKS_PER_GROUP + index)
    const sum = blocks.reduce((total, block) => total + (real.get(block) ?? 0), 0)
    return (totals.get(group) ?? 0) !== sum || blocks.some((block) => (real.get(block) ?? 0) !== (counted.get(block) ?? 0))
  })
}

/** Undefined: an item of the list cannot be read, which is told by itself. */
const readableState = async (owner: number): Promise<ListState | undefined> => {
  try {
    return await readListState(owner)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}

/** Finds what may be wrong with owners' lists. */
export class Lists {
  readonly #owners = new Map<number, Places>()
  readonly #twice: number[] = []

  #placesOf(owner: number): Places {
    const places = this.#owners.get(owner) ?? new Places()
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
      if (places.max > state.last) yield { kind: 'counter-behind', where: `${owner}/${places.max}` }
      for (const hole of state.holes) if (places.isTaken(hole)) yield { kind: 'hole-taken', where: `${owner}/${hole}` }
      for (const group of miscounted(state)) yield { kind: 'hole-counts', where: `${owner}/${group}` }
      const empty: number[] = []
      for (let position = 1; position <= state.last; position++) {
        if (!places.isTaken(position) && !state.holes.has(position) && !state.open.has(position)) empty.push(position)
      }
      // Mostly leads that were created since the table was read.
      const created = await leadIdsAt(owner, empty)
      const left = empty.filter((position) => !created.has(position))
      for (const { first, last } of rangesOf(left)) yield { kind: 'position-empty', where: `${owner}/${first}-${last}` }
    }
  }
}
