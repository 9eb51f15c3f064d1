import { blockOf, POSITIONS_PER_BLOCK } from '#shared/platform/keys.ts'
import type { ListState } from './list-state.ts'

/** A list ends before this many empty blocks in a row (no lead, no hole). A lead behind them is astray. */
export const FAR = 10

/** Most positions in one finding. */
export const MOST_POSITIONS = 100 * POSITIONS_PER_BLOCK

export interface Range {
  readonly first: number
  readonly last: number
}

/** Joins adjacent ranges. A range never crosses a multiple of `MOST_POSITIONS`, so findings stay the same from check to check. */
function* joined(ranges: Iterable<Range>): Generator<Range> {
  let current: Range | undefined
  for (const range of ranges) {
    const isNext = current?.last === range.first - 1 && range.first % MOST_POSITIONS !== 0
    if (current && !isNext) yield current
    current = { first: current && isNext ? current.first : range.first, last: range.last }
  }
  if (current) yield current
}

/** The lead id at each position of an owner, by block, four bytes each. */
export class LeadsByPosition {
  readonly #blocks = new Map<number, Int32Array>()

  /** @returns the id of the lead that was there before; 0 for none */
  put(position: number, lead: number): number {
    const index = blockOf(position)
    const block = this.#blocks.get(index) ?? new Int32Array(POSITIONS_PER_BLOCK)
    this.#blocks.set(index, block)
    const before = block[position % POSITIONS_PER_BLOCK] ?? 0
    block[position % POSITIONS_PER_BLOCK] = lead
    return before
  }

  /** @returns the id of the lead there; 0 for none */
  at(position: number): number {
    return this.#blocks.get(blockOf(position))?.[position % POSITIONS_PER_BLOCK] ?? 0
  }

  #behind(block: number, last: number): number[] {
    const first = block * POSITIONS_PER_BLOCK
    return [...(this.#blocks.get(block) ?? [])].filter((lead, index) => lead !== 0 && first + index > last)
  }

  /** Leads behind the last position of the list: the last of those that continue it, and each that is astray. */
  behind({ last, holes }: ListState): number[] {
    let reached = blockOf(last)
    let following: number | undefined
    const astray: number[] = []
    for (const block of [...new Set([...this.#blocks.keys(), ...holes.keys()])].toSorted((a, b) => a - b)) {
      if (block < blockOf(last)) continue
      const leads = this.#behind(block, last)
      if (block - reached > FAR) astray.push(...leads)
      else {
        reached = block
        following = leads.at(-1) ?? following
      }
    }
    return [...(following === undefined ? [] : [following]), ...astray]
  }

  *#empty({ last, open, holes }: ListState): Generator<Range> {
    const openBlocks = new Set([...open].map(blockOf))
    for (let block = 0; block <= blockOf(last); block++) {
      const first = Math.max(1, block * POSITIONS_PER_BLOCK)
      const end = Math.min(last, (block + 1) * POSITIONS_PER_BLOCK - 1)
      if (!this.#blocks.has(block) && !holes.has(block) && !openBlocks.has(block)) {
        yield { first, last: end }
        continue
      }
      for (let position = first; position <= end; position++) {
        const isRecorded = this.at(position) !== 0 || open.has(position) || (holes.get(block)?.has(position) ?? false)
        if (!isRecorded) yield { first: position, last: position }
      }
    }
  }

  /** Positions that have no lead and no hole, and are not open. */
  empty(state: ListState): Generator<Range> {
    return joined(this.#empty(state))
  }
}
