import { describe, expect, it } from '@jest/globals'
import { LeadsByPosition } from '#lib/ops/check/leads-by-position.ts'
import type { ListState } from '#lib/ops/check/list-state.ts'

const state = (last: number, changes: Partial<ListState> = {}): ListState => ({
  ...{ last, hasCounter: true, open: new Set(), holes: new Map(), totals: new Map(), groups: new Map() },
  ...changes,
})

const leadsAt = (...positions: readonly number[]): LeadsByPosition => {
  const leads = new LeadsByPosition()
  for (const position of positions) leads.put(position, position + 100)
  return leads
}

describe('positions without a lead, a hole or an open entry', () => {
  it('positions without a lead, a hole or an open entry are joined into as few ranges as possible', () => {
    const open = new Set([1203])
    const holes = new Map([[2, new Set([2000, 2001])]])
    expect([...leadsAt(1, 2, 5, 1200).empty(state(2003, { open, holes }))]).toEqual([
      { first: 3, last: 4 },
      { first: 6, last: 1199 },
      { first: 1201, last: 1202 },
      { first: 1204, last: 1999 },
      { first: 2002, last: 2003 },
    ])
  })

  it('positions without a lead, a hole or an open entry are split into ranges of at most 100,000', () => {
    const ranges = [...leadsAt(1, 39_999_999).empty(state(40_000_000))]
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
})

describe('leads behind the end of a list', () => {
  it('leads behind the end of a list are reported as the last one that continues it and every stray one', () => {
    const leads = leadsAt(1, 4, 9000, 9500, 40_000_000, 40_000_001)
    expect(leads.behind(state(3))).toEqual([9600, 40_000_100, 40_000_101])
    expect(leads.behind(state(40_000_000))).toEqual([40_000_101])
    expect(leads.behind(state(40_000_001))).toEqual([])
  })

  it('leads behind the end of a list may continue it across holes', () => {
    const holes = new Map(Array.from({ length: 50 }, (_, block) => [block, new Set([block * 1000 + 1])]))
    expect(leadsAt(50_500).behind(state(0, { holes }))).toEqual([50_600])
  })
})
