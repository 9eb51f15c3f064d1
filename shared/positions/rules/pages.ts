/** How many positions one block holds, and one group of blocks. */
export interface Spans {
  readonly block: number
  readonly group: number
}

/**
 * Positions of a list at which nothing stands, counted on two levels above the positions themselves: what one page needs is one
 * group and one block or two, however long the list is. Neither is asked for when the level above knows of no holes there.
 */
export interface Holes {
  /** Holes of each group that has any. */
  readonly groups: ReadonlyMap<number, number>
  /** Holes of each block of a group that has any. */
  readonly blocks: (group: number) => Promise<ReadonlyMap<number, number>>
  /** The holes of a block themselves. */
  readonly positions: (block: number) => Promise<ReadonlySet<number>>
}

/** An owner's list: positions from 1 to `last`, the newest the highest, without the holes. */
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

/** The groups or blocks that positions from `first` to `last` are in, the newest first. */
function* partsOf({ first, last }: Omit<Part, 'index'>, span: number): Generator<Part> {
  for (let index = Math.floor(last / span); index >= Math.floor(first / span); index--)
    yield { index, first: Math.max(first, index * span), last: Math.min(last, index * span + span - 1) }
}

/** The parts that hold what comes after the first `skip.left` positions, which is lowered by what is passed over. */
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

/** Up to `take` positions at which something stands, the newest first, after the first `skip` of them. */
export const pagePositions = async ({ last, holes, spans }: PositionList, skip: number, take: number): Promise<number[]> => {
  const found: number[] = []
  const passed = { left: skip }
  for (const group of partsAfter({ first: 1, last }, spans.group, holes.groups, passed)) {
    const blocks = holes.groups.has(group.index) ? await holes.blocks(group.index) : none
    for (const block of partsAfter(group, spans.block, blocks, passed)) {
      const standing = present(block, blocks.has(block.index) ? await holes.positions(block.index) : new Set())
      found.push(...standing.slice(passed.left, passed.left + take - found.length))
      passed.left = Math.max(0, passed.left - standing.length)
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

/** The list without further positions, none of which is among its holes already. */
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
