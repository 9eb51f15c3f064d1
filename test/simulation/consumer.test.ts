import { describe, expect, it } from '@jest/globals'
import { chanceFrom } from './lateness/chance.ts'
import { startConsumer } from './lateness/consumer.ts'
import { virtualQueue } from './lateness/queue.ts'
import { startVirtualTime } from './lateness/virtual-time.ts'

const SECOND = 1000

/** Sends messages at once, in each of some seconds, to a function that takes a fifth of a second. @returns the most runs in each second */
const mostRuns = async (sent: readonly number[]): Promise<number[]> => {
  const chance = chanceFrom(1)
  const { time, restore } = startVirtualTime(1_000_000, chance.next)
  try {
    const queue = virtualQueue({ time, chance, visibilitySeconds: 90, maxReceives: 3, isFair: true, duplicates: 0, lateness: 0 })
    let running = 0
    let most = 0
    const run = async () => {
      running++
      most = Math.max(most, running)
      await time.sleep(200)
      running--
      return { batchItemFailures: [] }
    }
    startConsumer({ time, chance, queue, batchSize: 1, maxConcurrency: 20, run })
    const seen: number[] = []
    for (const count of sent) {
      most = 0
      for (let message = 0; message < count; message++) queue.send('a', '1', 0)
      await time.run(time.now() + SECOND)
      seen.push(most)
    }
    return seen
  } finally {
    restore()
  }
}

describe('the simulated consumer', () => {
  it('the simulated consumer starts with five runs, and has five more each second while messages wait, up to its limit', async () => {
    expect(await mostRuns([1000, 0, 0, 0, 0])).toEqual([5, 10, 15, 20, 20])
  })

  it('the simulated consumer loses five runs in each second without messages', async () => {
    // Fifteen runs handle all messages. A second later ten may be left, and two seconds after that five.
    const [soon] = (await mostRuns([110, 0, 0, 0, 10])).slice(-1)
    expect(soon).toBeGreaterThan(5)
    expect(soon).toBeLessThanOrEqual(10)
    expect(await mostRuns([110, 0, 0, 0, 0, 0, 10])).toEqual([5, 10, 15, 0, 0, 0, 5])
  })
})
