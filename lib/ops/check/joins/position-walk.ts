import { blockOf, POSITIONS_PER_BLOCK } from '#shared/platform/keys.ts'

/** A list ends before this many empty blocks in a row (no lead, no hole). A lead behind them is astray. */
export const FAR = 10

/** Most positions in one finding. */
export const MOST_POSITIONS = 100 * POSITIONS_PER_BLOCK

export interface Range {
  readonly first: number
  readonly last: number
}

/** Positions of an owner's list. */
export interface OwnedRange extends Range {
  readonly owner: number
}

export interface WalkedList {
  /** The last position, as the counter says. */
  readonly last: number
  /** Positions that were taken and are not closed yet. Readers of the list check them. */
  readonly open: readonly Range[]
}

interface WalkFindings {
  /** Positions without a lead and a hole that are not open. */
  readonly onEmpty: (range: Range) => void
  /** A lead at a position that is a hole. */
  readonly onHoleTaken: (lead: number) => void
  /** A lead behind the last position: the last of those that continue the list, and each that is astray. */
  readonly onBehind: (lead: number) => void
  /** A lead at the position of another, earlier lead. */
  readonly onTwice: (lead: number) => void
}

/** Walks along an owner's list and finds contradictions. Holds the holes of one block. */
export class PositionWalk {
  readonly #list: WalkedList
  readonly #findings: WalkFindings
  /** Every position before it has a lead, a hole, or was reported. */
  #next = 1
  /** Holes of the current block that the walk has not reached yet, in reverse order. */
  #ahead: number[] = []
  #holes: ReadonlySet<number> = new Set()
  #taken = -1
  /** The last block that belongs to the list or continues it. */
  #reached: number
  #following: number | undefined

  constructor({ last, open }: WalkedList, findings: WalkFindings) {
    this.#list = { last, open: open.toSorted((a, b) => a.first - b.first) }
    this.#findings = findings
    this.#reached = blockOf(last)
  }

  /** The holes of a block, before its leads and after all leads of the blocks before it. */
  holes(block: number, holes: ReadonlySet<number>): void {
    this.#passHoles(block * POSITIONS_PER_BLOCK)
    this.#holes = holes
    this.#ahead = [...holes].sort((a, b) => b - a)
    this.#isAstray(block)
  }

  /** The next lead by position. Leads with the same position come in the order of their ids. */
  lead(position: number, lead: number): void {
    this.#passHoles(position)
    if (this.#taken === position) this.#findings.onTwice(lead)
    this.#taken = position
    if (this.#holes.has(position)) this.#findings.onHoleTaken(lead)
    this.#pass(position)
    if (position <= this.#list.last) return
    if (!this.#isAstray(blockOf(position))) this.#following = lead
    else {
      this.#reportFollowing()
      this.#findings.onBehind(lead)
    }
  }

  end(): void {
    this.#passHoles(Number.POSITIVE_INFINITY)
    this.#pass(this.#list.last + 1)
    this.#reportFollowing()
  }

  #reportFollowing(): void {
    if (this.#following !== undefined) this.#findings.onBehind(this.#following)
    this.#following = undefined
  }

  /** Whether a block is too far behind the list to belong to it. If not, the list reaches this block. */
  #isAstray(block: number): boolean {
    if (block - this.#reached > FAR) return true
    this.#reached = Math.max(block, this.#reached)
    return false
  }

  #passHoles(before: number): void {
    for (let hole = this.#ahead.at(-1); hole !== undefined && hole < before; hole = this.#ahead.at(-1)) {
      this.#ahead.pop()
      this.#pass(hole)
    }
  }

  /** Reports the gap before a position that has a lead or a hole. */
  #pass(position: number): void {
    const last = Math.min(position - 1, this.#list.last)
    if (this.#next <= last) this.#reportGap(this.#next, last)
    this.#next = Math.max(this.#next, position + 1)
  }

  #reportGap(first: number, last: number): void {
    let start = first
    for (const open of this.#list.open) {
      if (open.last < start) continue
      if (open.first > last) break
      this.#reportEmpty(start, open.first - 1)
      start = open.last + 1
    }
    this.#reportEmpty(start, last)
  }

  /** A range never crosses a multiple of `MOST_POSITIONS`, so findings stay the same from check to check. */
  #reportEmpty(first: number, last: number): void {
    for (let start = first; start <= last; ) {
      const end = Math.min(last, (Math.floor(start / MOST_POSITIONS) + 1) * MOST_POSITIONS - 1)
      this.#findings.onEmpty({ first: start, last: end })
      start = end + 1
    }
  }
}
