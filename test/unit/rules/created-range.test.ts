import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SECOND } from '#shared/platform/values/durations.ts'
import { createdWithin } from '#shared/positions/rules/created-range.ts'

interface Creation {
  readonly id: number
  readonly position: number
  readonly created_time: number
}

/** A list of these leads, newest first. It counts the leads that are read. */
const listOf = (newestFirst: readonly Creation[]) => {
  const reads = { pages: 0, leads: 0 }
  const page = async (skip: number, take: number) => {
    const found = newestFirst.slice(skip, skip + take)
    reads.pages++
    reads.leads += found.length
    return found
  }
  return { count: newestFirst.length, page, reads }
}

/** Leads whose positions were taken in this order. Each was created a little later. */
const leadsFrom = (takings: readonly { readonly gap: number; readonly delay: number }[]): Creation[] => {
  let taken = 1_000_000
  return takings
    .map(({ gap, delay }, index) => {
      taken += gap
      return { id: index + 1, position: index + 1, created_time: taken + delay }
    })
    .reverse()
}

const wholeOf = async (list: Parameters<typeof createdWithin>[0], range: Parameters<typeof createdWithin>[1], size: number) => {
  const { count, page } = await createdWithin(list, range)
  const ids: number[] = []
  for (let skip = 0; skip < count; skip += size) {
    const found = await page(skip, size)
    expect(found).toHaveLength(Math.min(size, count - skip))
    ids.push(...found.map(({ id }) => id))
  }
  return { count, ids }
}

const taking = (longestGap: number, longestDelay: number) =>
  fc.record({ gap: fc.integer({ min: 0, max: longestGap }), delay: fc.integer({ min: 0, max: longestDelay }) })

const end = fc.option(fc.integer({ min: -10_000, max: 400_000 }), { nil: undefined })

describe('leads created in a range', () => {
  it('the leads created in a range come in pages without gaps, though creations overlap', async () => {
    const takings = fc.oneof(
      fc.array(taking(20_000, 4000), { maxLength: 60, size: 'max' }),
      fc.array(taking(50, 4000), { maxLength: 400, size: 'max' }),
      fc.array(taking(500, 4000), { maxLength: 400, size: 'max' }),
    )
    await fc.assert(
      fc.asyncProperty(takings, end, end, fc.integer({ min: 1, max: 100 }), async (drawn, from, to, size) => {
        const leads = leadsFrom(drawn)
        const range = { after: from && 1_000_000 + from, before: to && 1_000_000 + to }
        const { after = -Infinity, before = Infinity } = range
        const expected = leads.filter(({ created_time }) => created_time >= after && created_time <= before).map(({ id }) => id)
        expect(await wholeOf(listOf(leads), range, size)).toEqual({ count: expected.length, ids: expected })
      }),
      { numRuns: 500 },
    )
  })

  it('the leads created in a range cost a number of reads that grows with the logarithm of the list', async () => {
    const pagesAmong = async (length: number) => {
      const list = listOf(leadsFrom(Array.from({ length }, () => ({ gap: 60_000, delay: 0 }))))
      const [middle] = await list.page(length / 2, 1)
      const range = { after: middle!.created_time - 60 * 60_000, before: middle!.created_time }
      expect((await createdWithin(list, range)).count).toBe(61)
      return list.reads
    }
    const [few, many] = [await pagesAmong(1000), await pagesAmong(512_000)]
    expect(many.pages - few.pages).toBeLessThanOrEqual(2 * 10)
    expect(many.leads - few.leads).toBeLessThanOrEqual(2 * 20)
  })

  it('the leads created in a range are found beside a repaired lead that is older than its neighbours', async () => {
    const leads = leadsFrom(Array.from({ length: 3000 }, () => ({ gap: 60 * SECOND, delay: 0 })))
    const oldest = leads.at(-1)!
    for (const at of [0, 1, 700, 1499, 1500, 1501, 2250, 2990]) {
      const moved = leads.map((lead, rank) => (rank === at ? { ...lead, created_time: oldest.created_time } : lead))
      const range = { after: leads[2900]!.created_time, before: leads[100]!.created_time }
      const { page } = await createdWithin(listOf(moved), range)
      const ids = (await page(0, moved.length)).map(({ id }) => id)
      const expected = moved.filter(({ created_time }) => created_time >= range.after && created_time <= range.before).map(({ id }) => id)
      expect(ids).toEqual(expected)
    }
  })
})
