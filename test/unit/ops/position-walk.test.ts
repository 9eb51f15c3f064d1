import { describe, expect, it } from '@jest/globals'
import { PositionWalk, type Range } from '#lib/ops/check/joins/position-walk.ts'
import { blockOf } from '#shared/platform/keys.ts'

interface List {
  readonly last: number
  readonly leads: readonly number[]
  readonly open?: readonly Range[]
  readonly holes?: readonly number[]
}

/** Walks along a list whose leads have the ids of their positions plus 100. */
const walked = ({ last, leads, open = [], holes = [] }: List) => {
  const found = { empty: [] as Range[], behind: [] as number[], holeTaken: [] as number[], twice: [] as number[] }
  const walk = new PositionWalk(
    { last, open },
    {
      onEmpty: (range) => found.empty.push(range),
      onBehind: (lead) => found.behind.push(lead),
      onHoleTaken: (lead) => found.holeTaken.push(lead),
      onTwice: (lead) => found.twice.push(lead),
    },
  )
  for (const block of [...new Set([...leads, ...holes].map(blockOf))].toSorted((a, b) => a - b)) {
    const isIn = (position: number) => blockOf(position) === block
    if (holes.some(isIn)) walk.holes(block, new Set(holes.filter(isIn)))
    for (const position of leads.filter(isIn)) walk.lead(position, position + 100)
  }
  walk.end()
  return found
}

describe('positions without a lead, a hole or an open entry', () => {
  it('empty positions are joined into as few ranges as possible', () => {
    const open = [{ first: 1203, last: 1203 }]
    expect(walked({ last: 2003, leads: [1, 2, 5, 1200], open, holes: [2000, 2001] }).empty).toEqual([
      { first: 3, last: 4 },
      { first: 6, last: 1199 },
      { first: 1201, last: 1202 },
      { first: 1204, last: 1999 },
      { first: 2002, last: 2003 },
    ])
  })

  it('empty positions are split into ranges of at most 100,000', () => {
    const ranges = walked({ last: 40_000_000, leads: [1, 39_999_999] }).empty
    expect(ranges).toHaveLength(401)
    expect(ranges.slice(0, 2)).toEqual([
      { first: 2, last: 99_999 },
      { first: 100_000, last: 199_999 },
    ])
    expect(ranges.slice(-2)).toEqual([
      { first: 39_900_000, last: 39_999_998 },
      { first: 40_000_000, last: 40_000_000 },
    ])
  })

  it('empty positions are found in a list without leads, up to its last position', () => {
    expect(walked({ last: 3, leads: [] }).empty).toEqual([{ first: 1, last: 3 }])
    expect(walked({ last: 3, leads: [], open: [{ first: 2, last: 9 }] }).empty).toEqual([{ first: 1, last: 1 }])
    expect(walked({ last: 3, leads: [], holes: [1, 2, 3] }).empty).toEqual([])
  })
})

describe('leads behind the end of a list', () => {
  it('of the leads behind the counter, the last one that continues the list and every stray one are reported', () => {
    const leads = [1, 4, 9000, 9500, 40_000_000, 40_000_001]
    expect(walked({ last: 3, leads }).behind).toEqual([9600, 40_000_100, 40_000_101])
    expect(walked({ last: 40_000_000, leads }).behind).toEqual([40_000_101])
    expect(walked({ last: 40_000_001, leads }).behind).toEqual([])
  })

  it('a lead behind many holes still continues the list, and is not stray', () => {
    const holes = Array.from({ length: 50 }, (_, block) => block * 1000 + 1)
    expect(walked({ last: 0, leads: [50_500], holes }).behind).toEqual([50_600])
  })
})

describe('leads that contradict the list', () => {
  it('a lead at a hole, and a second lead at one position, contradict the list', () => {
    expect(walked({ last: 5, leads: [1, 2, 2, 3, 4, 5], holes: [3, 4] })).toEqual({
      ...{ empty: [], behind: [] },
      ...{ holeTaken: [103, 104], twice: [102] },
    })
  })
})
