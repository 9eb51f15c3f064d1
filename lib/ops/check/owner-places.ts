import { blockOf, POSITIONS_PER_BLOCK } from '#shared/platform/keys.ts'
import type { ListState } from './list-state.ts'

/** So many blocks in a row with neither a lead nor a hole are no part of a list: what stands behind them stands astray. */
export const FAR = 10

/** Places that are told together, at most. */
export const MOST_PLACES = 100 * POSITIONS_PER_BLOCK

export interface Range {
  readonly first: number
  readonly last: number
}

/** Ranges that follow on each other as one, within every so many places, so that what is told of them stays the same. */
function* joined(ranges: Iterable<Range>): Generator<Range> {
  let current: Range | undefined
  for (const range of ranges) {
    const isNext = current?.last === range.first - 1 && range.first % MOST_PLACES !== 0
    if (current && !isNext) yield current
    current = { first: current && isNext ? current.first : range.first, last: range.last }
  }
  if (current) yield current
}

/** An owner's places, block by block: the id of the lead that stands at each, four bytes. */
export class OwnerPlaces {
  readonly #blocks = new Map<number, Int32Array>()

  /** @returns the lead that stands there already; 0: none */
  put(position: number, lead: number): number {
    const index = blockOf(position)
    const block = this.#blocks.get(index) ?? new Int32Array(POSITIONS_PER_BLOCK)
    this.#blocks.set(index, block)
    const before = block[position % POSITIONS_PER_BLOCK] ?? 0
    block[position % POSITIONS_PER_BLOCK] = lead
    return before
  }

  /** @returns the lead that stands there; 0: none */
  at(position: number): number {
    return this.#blocks.get(blockOf(position))?.[position % POSITIONS_PER_BLOCK] ?? 0
  }

  #behind(block: number, last: number): number[] {
    const first = block * POSITIONS_PER_BLOCK
    return [...(this.#blocks.get(block) ?? [])].filter((lead, index) => lead !== 0 && first + index > last)
  }

  /** Leads that stand behind the last place of the list: the last of those that follow on it, and each one that is astray. */
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

  *#untold({ last, open, holes }: ListState): Generator<Range> {
    const taken = new Set([...open].map(blockOf))
    for (let block = 0; block <= blockOf(last); block++) {
      const first = Math.max(1, block * POSITIONS_PER_BLOCK)
      const end = Math.min(last, (block + 1) * POSITIONS_PER_BLOCK - 1)
      if (!this.#blocks.has(block) && !holes.has(block) && !taken.has(block)) {
        yield { first, last: end }
        continue
      }
      for (let position = first; position <= end; position++) {
        const isTold = this.at(position) !== 0 || open.has(position) || (holes.get(block)?.has(position) ?? false)
        if (!isTold) yield { first: position, last: position }
      }
    }
  }

  /** Places with neither a lead nor a hole that nobody is about to take. */
  untold(state: ListState): Generator<Range> {
    return joined(this.#untold(state))
  }
}
