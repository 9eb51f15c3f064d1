import { describe, expect, it } from '@jest/globals'
import { LISTED, measureFilters, seedVaried } from '#test/simulation/lists/measure.ts'
import { listWorld, nextOwner } from '#test/support/list-owners.ts'

listWorld()

const measuredWith = async (leads: number) => {
  const owner = nextOwner()
  await seedVaried({ owner, leads })
  return measureFilters(owner, leads, 3)
}

/** A count up to 1,000 reads entries of 120 bytes, and at most one chunk too many of some partitions. */
const COUNTING = (1000 * 120) / 8192 + 8

describe('the read units of a filter', () => {
  it('a filter costs the same for 50 and 2,000 leads, except counts up to 1,000 and searches by order of creation', async () => {
    const [few, many] = [await measuredWith(50), await measuredWith(2000)]
    for (const name of Object.keys(LISTED)) {
      const [one, other] = [few.get(name)!, many.get(name)!]
      const searching = 2 * 2 * Math.log2(2000 / 50)
      process.stdout.write(`${name}: ${one.first} and ${other.first} read units, then ${one.second} and ${other.second}\n`)
      expect({ name, leads: other.leads }).toEqual({ name, leads: 3 })
      expect(other.list).toBeLessThanOrEqual(one.list + (name.startsWith('created_time') ? searching : COUNTING))
      if (!name.startsWith('created_time') && one.second !== undefined) expect(other.second).toBeLessThanOrEqual(one.second + 3)
    }
  })
})
