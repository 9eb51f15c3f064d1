import { expect, it } from '@jest/globals'
import { simulateDeliveries } from './deliveries/run.ts'

/** The short form of `test/simulation/deliveries.ts`. */
it('the service delivers every event to a destination that fails, hangs and is restarted, and logs each attempt', async () => {
  const lines: string[] = []
  const faults = await simulateDeliveries({ events: 150, restarts: 2, seed: 1 }, (line) => lines.push(line))
  expect({ faults, lines }).toEqual({ faults: [], lines })
  expect(lines).toContainEqual(expect.stringContaining('hottest key'))
})
