import { describe, expect, it } from '@jest/globals'
import { importNumbers } from './registry/run.ts'

/** The short form of `npm run simulate -- registry`. */
describe('an import of a registry as a process', () => {
  it('an import of a registry has bounded memory and units, and each look-up after it is right and costs half a read unit', async () => {
    const { faults, costs } = await importNumbers(20_000, () => {})
    expect(faults).toEqual([])
    expect(costs.map(({ numbers }) => numbers)).toEqual([20_000, 20_000, 200])
  })
})
