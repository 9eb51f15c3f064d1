import * as v from 'valibot'
import { blockOf, POSITIONS_PER_BLOCK } from '#shared/platform/keys.ts'
import { ordered, type RecordParts } from '../lines/record.ts'
import type { Join, SuspectReport } from './join.ts'
import { PositionWalk, type WalkedList } from './position-walk.ts'

/** By their order among the records of an owner's list: the list itself, then for each block its holes and its leads. */
const UNREADABLE = '!'
const LIST = '"'
const BLOCK = '#'
const HOLES = '0'
const LEAD = '1'

/** An item of the owner's list is malformed. The kind `unreadable` reports it, and the list is not walked. */
export const unreadableListRecord = (owner: number): string => `${ordered(owner)}${UNREADABLE}`

export const listRecord = (owner: number, list: WalkedList): string => `${ordered(owner)}${LIST}${JSON.stringify(list)}`

const startOfBlock = (owner: number, block: number): string => `${ordered(owner)}${BLOCK}${ordered(block)}`

export const holesRecord = (owner: number, block: number, holes: ReadonlySet<number>): string =>
  `${startOfBlock(owner, block)}${HOLES}${JSON.stringify([...holes].map((hole) => hole - block * POSITIONS_PER_BLOCK))}`

interface PositionTaken {
  readonly owner: number
  readonly position: number
  readonly id: number
}

export const positionRecord = ({ owner, position, id }: PositionTaken): string =>
  `${startOfBlock(owner, blockOf(position))}${LEAD}${ordered(position % POSITIONS_PER_BLOCK)}${ordered(id)}`

const Range = v.object({ first: v.number(), last: v.number() })
const List = v.pipe(v.string(), v.parseJson(), v.object({ last: v.number(), open: v.array(Range) }))
const Offsets = v.pipe(v.string(), v.parseJson(), v.array(v.number()))

/** Finds suspects in owners' lists. */
export class Lists implements Join {
  readonly #report: SuspectReport
  #owner: number | undefined
  /** Undefined: the list cannot be read. */
  #walk: PositionWalk | undefined

  constructor(report: SuspectReport) {
    this.#report = report
  }

  #newWalk(owner: number, list: WalkedList): PositionWalk {
    return new PositionWalk(list, {
      // Some of these belong to leads that were created meanwhile. The second check drops them.
      onEmpty: ({ first, last }) => this.#report('position-empty', `${owner}/${first}-${last}`),
      onHoleTaken: (lead) => this.#report('hole-taken', lead),
      onBehind: (lead) => this.#report('counter-behind', lead),
      onTwice: (lead) => this.#report('position-twice', lead),
    })
  }

  take(record: RecordParts): void {
    const owner = record.number()
    const kind = record.text(1)
    if (owner !== this.#owner) {
      this.end()
      this.#owner = owner
      if (kind === UNREADABLE) return
      const list = kind === LIST ? v.parse(List, record.rest()) : { last: 0, open: [] }
      this.#walk = this.#newWalk(owner, list)
    }
    if (kind === BLOCK) this.#block(record)
  }

  #block(record: RecordParts): void {
    const block = record.number()
    const first = block * POSITIONS_PER_BLOCK
    if (record.text(1) === LEAD) this.#walk?.lead(first + record.number(), record.number())
    else this.#walk?.holes(block, new Set(v.parse(Offsets, record.rest()).map((offset) => first + offset)))
  }

  end(): void {
    this.#walk?.end()
    this.#walk = undefined
  }
}
