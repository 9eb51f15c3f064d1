/** How many positions are in one block, and in one group of blocks. */
export interface Spans {
  readonly block: number
  readonly group: number
}

/**
 * Positions of a list without a lead, counted on two levels: per group and per block. One page needs one group and one or two blocks,
 * however long the list is. Nothing is read where the level above counts no holes.
 */
export interface Holes {
  /** Holes of each group that has any. */
  readonly groups: ReadonlyMap<number, number>
  /** Holes of each block in a group that has any. */
  readonly blocks: (group: number) => Promise<ReadonlyMap<number, number>>
  /** The holes in a block. */
  readonly positions: (block: number) => Promise<ReadonlySet<number>>
}

/** An owner's list: positions from 1 to `last`, without the holes. The highest position is the newest. */
export interface PositionList {
  readonly last: number
  readonly holes: Holes
  readonly spans: Spans
}

const total = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

export const countPositions = ({ last, holes }: PositionList): number => last - total(holes.groups)

interface Part {
  readonly index: number
  readonly first: number
  readonly last: number
}

/** The groups or blocks that contain the positions from `first` to `last`, newest first. */
function* partsOf({ first, last }: Omit<Part, 'index'>, span: number): Generator<Part> {
  for (let index = Math.floor(last / span); index >= Math.floor(first / span); index--)
    yield { index, first: Math.max(first, index * span), last: Math.min(last, index * span + span - 1) }
}

/** The parts that are needed after the first `skip.left` positions. Lowers `skip.left` by the positions of each part that it skips. */
function* partsAfter(
  range: Omit<Part, 'index'>,
  span: number,
  holes: ReadonlyMap<number, number>,
  skip: { left: number },
): Generator<Part> {
  for (const part of partsOf(range, span)) {
    const present = part.last - part.first + 1 - (holes.get(part.index) ?? 0)
    if (skip.left < present) yield part
    else skip.left -= Math.max(0, present)
  }
}

const none: ReadonlyMap<number, number> = new Map()

const present = ({ first, last }: Part, holes: ReadonlySet<number>): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => last - index).filter((position) => !holes.has(position))

/** Up to `take` positions that have a lead, newest first, after the first `skip` of them. */
export const pagePositions = async ({ last, holes, spans }: PositionList, skip: number, take: number): Promise<number[]> => {
  const found: number[] = []
  const passed = { left: skip }
  for (const group of partsAfter({ first: 1, last }, spans.group, holes.groups, passed)) {
    const blocks = holes.groups.has(group.index) ? await holes.blocks(group.index) : none
    for (const block of partsAfter(group, spans.block, blocks, passed)) {
      const positions = present(block, blocks.has(block.index) ? await holes.positions(block.index) : new Set())
      found.push(...positions.slice(passed.left, passed.left + take - found.length))
      passed.left = Math.max(0, passed.left - positions.length)
      if (found.length === take) return found
    }
  }
  return found
}

const addTo = (counts: ReadonlyMap<number, number>, added: readonly number[]): Map<number, number> => {
  const sums = new Map(counts)
  for (const index of added) sums.set(index, (sums.get(index) ?? 0) + 1)
  return sums
}

/** The list with additional holes. None of `positions` may already be a hole. */
export const withoutPositions = (list: PositionList, positions: readonly number[]): PositionList => {
  if (positions.length === 0) return list
  const { last, holes, spans } = list
  const groupOf = (position: number) => Math.floor(position / spans.group)
  const blockOf = (position: number) => Math.floor(position / spans.block)
  return {
    last,
    spans,
    holes: {
      groups: addTo(holes.groups, positions.map(groupOf)),
      blocks: async (group) => {
        const further = positions.filter((position) => groupOf(position) === group)
        return addTo(holes.groups.has(group) ? await holes.blocks(group) : none, further.map(blockOf))
      },
      positions: async (block) => {
        const further = positions.filter((position) => blockOf(position) === block)
        return new Set([...(await holes.positions(block)), ...further])
      },
    },
  }
}
