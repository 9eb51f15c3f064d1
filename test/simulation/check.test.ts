import { describe, expect, it } from '@jest/globals'
import { DAMAGE } from '#test/support/damage.ts'
import { checkTables } from './check/run.ts'

/** The short form of `npm run simulate -- check`. */
describe('a check in a process with a small heap', () => {
  it('a check with a small heap finds one damage of every kind among many sound leads, and nothing else', async () => {
    const { costs, faults } = await checkTables({ sizes: [300, 3000], heap: 64, progress: () => {} })
    expect(faults).toEqual([])
    const kinds = Object.keys(DAMAGE).length
    expect(costs.map((cost) => ({ leads: cost.leads, kinds: cost.kinds }))).toEqual([
      { leads: 300, kinds },
      { leads: 3000, kinds },
    ])
  }, 120_000)
})
