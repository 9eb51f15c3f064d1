import { describe, expect, it } from '@jest/globals'
import { allInLanes, inLanes } from '#shared/platform/lanes.ts'

const items = Array.from({ length: 10 }, (_, index) => index)

/** Handles items; the third one fails. @returns the items that were begun */
const begunBy = async (run: typeof allInLanes): Promise<number[]> => {
  const begun: number[] = []
  const handle = async (item: number) => {
    begun.push(item)
    if (item === 2) throw new Error('third')
  }
  await expect(run(2, items, handle)).rejects.toThrow('third')
  return begun
}

describe('items in lanes', () => {
  it('items in lanes give their results in the order of the items, a limited number at a time', async () => {
    let [running, most] = [0, 0]
    const results = await inLanes(3, items, async (item) => {
      most = Math.max(most, ++running)
      for (let turns = items.length - item; turns > 0; turns--) await Promise.resolve()
      running--
      return item * 2
    })
    expect({ results, most }).toEqual({ results: items.map((item) => item * 2), most: 3 })
  })

  it('no more items in lanes are begun after a failure', async () => {
    expect((await begunBy(async (...args) => void (await inLanes(...args)))).length).toBeLessThan(items.length)
  })

  it('items in lanes are all handled in spite of a failure when asked for', async () => {
    expect(await begunBy(allInLanes)).toEqual(items)
  })
})
