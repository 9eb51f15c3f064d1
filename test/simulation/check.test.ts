import { describe, expect, it } from '@jest/globals'
import { DAMAGE } from '#test/support/damage.ts'
import { checkTables } from './check/run.ts'

/** The short form of `npm run simulate -- check`. */
describe('a check as a process', () => {
  it('a check finds one damage of every kind among many sound leads, and nothing else, in bounded memory', async () => {
    const { costs, faults } = await checkTables({ sizes: [300, 3000], progress: () => {} })
    expect(faults).toEqual([])
    const kinds = Object.keys(DAMAGE).length
    expect(costs.map((cost) => ({ leads: cost.leads, kinds: cost.kinds }))).toEqual([
      { leads: 300, kinds },
      { leads: 3000, kinds },
    ])
  })
})
