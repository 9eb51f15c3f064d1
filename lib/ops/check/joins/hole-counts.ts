import { groupOf } from '#shared/platform/keys.ts'
import { ordered, type RecordParts } from '../lines/record.ts'
import type { Join, SuspectReport } from './join.ts'

/** Numbers of holes: in a block, as counted for that block, and as counted for a group of blocks. */
const KINDS = { block: 'b', counted: 'c', total: 't' } as const

export interface HoleCount {
  readonly owner: number
  readonly of: keyof typeof KINDS
  /** Number of the block. For a total: number of the group. */
  readonly index: number
  readonly count: number
}

const UNREADABLE = '!'

export const holeCountRecord = ({ owner, of, index, count }: HoleCount): string =>
  `${ordered(owner)}${ordered(of === 'total' ? index : groupOf(index))}${KINDS[of]}${ordered(index)}${ordered(count)}`

/** An item of the owner's list is malformed. The kind `unreadable` reports it, and the counts are not compared. */
export const unreadableCountsRecord = (owner: number): string => `${ordered(owner)}${UNREADABLE}`

/** Finds groups of blocks whose stored counts of holes are wrong. */
export class GroupCounts implements Join {
  readonly #report: SuspectReport
  #unreadable: number | undefined
  #group = ''
  #total = 0
  /** Holes in the blocks, minus the counted ones. */
  readonly #differences = new Map<number, number>()
  #sum = 0

  constructor(report: SuspectReport) {
    this.#report = report
  }

  take(record: RecordParts): void {
    const owner = record.number()
    if (record.rest() === UNREADABLE) this.#unreadable = owner
    if (owner === this.#unreadable) return
    const group = `${owner}/${record.number()}`
    if (group !== this.#group) this.end()
    this.#group = group
    const kind = record.text(1)
    const [index, count] = [record.number(), record.number()]
    if (kind === KINDS.total) this.#total = count
    else this.#differences.set(index, (this.#differences.get(index) ?? 0) + (kind === KINDS.block ? count : -count))
    if (kind === KINDS.block) this.#sum += count
  }

  end(): void {
    const isWrong = this.#total !== this.#sum || [...this.#differences.values()].some((difference) => difference !== 0)
    if (isWrong) this.#report('hole-counts', this.#group)
    this.#total = 0
    this.#sum = 0
    this.#differences.clear()
  }
}
