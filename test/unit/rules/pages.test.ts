import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  countPositions,
  type Holes,
  type PositionList,
  pagePositions,
  type Spans,
  withoutPositions,
} from '#shared/positions/rules/pages.ts'

/** Holes, counted level by level, and the number of reads at each level. */
const holesOf = (positions: ReadonlySet<number>, { block, group }: Spans) => {
  const asked = { blocks: 0, positions: 0 }
  const countBy = (span: number, within: readonly number[]) =>
    new Map([...Map.groupBy(within, (position) => Math.floor(position / span))].map(([index, found]) => [index, found.length]))
  const all = [...positions]
  const holes: Holes = {
    groups: countBy(group, all),
    blocks: async (index) => {
      asked.blocks++
      return countBy(
        block,
        all.filter((position) => Math.floor(position / group) === index),
      )
    },
    positions: async (index) => {
      asked.positions++
      return new Set(all.filter((position) => Math.floor(position / block) === index))
    },
  }
  return { holes, asked }
}

const walk = async (list: PositionList, pageSize: number): Promise<number[][]> => {
  const pages: number[][] = []
  for (let skip = 0; skip < countPositions(list); skip += pageSize) pages.push(await pagePositions(list, skip, pageSize))
  return pages
}

/** Every position without a hole, newest first. */
const naive = (last: number, holes: ReadonlySet<number>): number[] =>
  Array.from({ length: last }, (_, index) => last - index).filter((position) => !holes.has(position))

const lists = fc
  .record({ last: fc.integer({ min: 0, max: 120 }), block: fc.integer({ min: 1, max: 9 }), blocks: fc.integer({ min: 1, max: 4 }) })
  .chain(({ last, block, blocks }) =>
    fc.record({
      last: fc.constant(last),
      spans: fc.constant({ block, group: block * blocks }),
      holes: last === 0 ? fc.constant([]) : fc.uniqueArray(fc.integer({ min: 1, max: last }), { maxLength: last }),
      open: fc.double({ min: 0, max: 1, noNaN: true }),
      pageSize: fc.integer({ min: 1, max: 25 }),
    }),
  )

describe('pages of a list with holes', () => {
  it('the pages of a list with holes give each position once, newest first, and match the count', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async ({ last, spans, holes, open, pageSize }) => {
        const pivot = Math.floor(holes.length * open)
        const recorded = new Set(holes.slice(pivot))
        const list = withoutPositions({ last, spans, holes: holesOf(recorded, spans).holes }, holes.slice(0, pivot))
        const expected = naive(last, new Set(holes))
        const pages = await walk(list, pageSize)
        expect(pages.flat()).toEqual(expected)
        expect(countPositions(list)).toBe(expected.length)
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(pageSize)
      }),
      { numRuns: 400 },
    )
  })

  it('the pages of a list with holes can be read in any order, even beyond the end', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(150), async ({ last, spans, holes, pageSize }, skip) => {
        const list = { last, spans, holes: holesOf(new Set(holes), spans).holes }
        expect(await pagePositions(list, skip, pageSize)).toEqual(naive(last, new Set(holes)).slice(skip, skip + pageSize))
      }),
    )
  })
})

describe('a page of a long list', () => {
  const spans = { block: 1000, group: 500_000 }
  const last = 20_000_000

  it('a page of a long list reads no blocks of holes when there are none', async () => {
    const { holes, asked } = holesOf(new Set(), spans)
    expect(await pagePositions({ last, spans, holes }, 12_345_600, 3)).toEqual([7_654_400, 7_654_399, 7_654_398])
    expect(asked).toEqual({ blocks: 0, positions: 0 })
  })

  it('a page of a long list reads at most one group and two blocks, wherever the page and the holes are', async () => {
    const everywhere = new Set(Array.from({ length: 2000 }, (_, index) => 1 + index * 9973))
    for (const skip of [0, 5_000_000, 19_997_900]) {
      const { holes, asked } = holesOf(everywhere, spans)
      await pagePositions({ last, spans, holes }, skip, 100)
      expect(asked.blocks).toBeLessThanOrEqual(1)
      expect(asked.positions).toBeLessThanOrEqual(2)
    }
  })

  it('a page of a long list skips empty blocks and groups without reading their holes', async () => {
    const emptied = Array.from({ length: 1_200_000 }, (_, index) => 300_000 + index)
    const { holes, asked } = holesOf(new Set(emptied), spans)
    expect(await pagePositions({ last: 1_500_010, spans, holes }, 0, 20)).toEqual([
      ...Array.from({ length: 11 }, (_, index) => 1_500_010 - index),
      ...Array.from({ length: 9 }, (_, index) => 299_999 - index),
    ])
    expect(asked.positions).toBe(0)
    expect(asked.blocks).toBe(1)
  })

  it('a page of a long list has each position once when group and block counts disagree', async () => {
    const { holes } = holesOf(new Set([5, 6]), { block: 10, group: 100 })
    const contradictory: Holes = { ...holes, blocks: async () => new Map([[0, 9]]) }
    const page = await pagePositions({ last: 200, spans: { block: 10, group: 100 }, holes: contradictory }, 180, 50)
    expect(new Set(page).size).toBe(page.length)
    expect(page).not.toContain(5)
  })
})
