import { afterAll, expect, it } from '@jest/globals'
import { measureIsolation } from './isolation/run.ts'

const stopping = new AbortController()
afterAll(() => stopping.abort())

/** The short form of `test/simulation/isolation.ts`. There are two runs, so a request that holds one for its 15 seconds would show. */
it('a dead and a slow destination do not delay other deliveries', async () => {
  const plan = { rounds: 1, seconds: 18, rate: 12, concurrency: { match: 4, deliver: 2, slow: 2 } }
  const lines: string[] = []
  const { alone, beside, faults } = await measureIsolation(plan, (line) => lines.push(line), stopping.signal)
  expect({ lines, faults, isHeld: beside.held > alone.held }).toEqual({ lines, faults: [], isHeld: false })
  expect(lines).toContainEqual(expect.stringContaining('hottest key'))
})
