import { afterAll, expect, it } from '@jest/globals'
import { measureIsolation } from './isolation/run.ts'

/** A few hundred events: their p99 is the second worst of them, on a machine that does other things as well. */
const GRACE_MS = 400

const stopping = new AbortController()
afterAll(() => stopping.abort())

/** The short form of `test/simulation/isolation.ts`. */
it('a dead and a slow destination delay nobody else', async () => {
  const plan = { rounds: 1, seconds: 18, rate: 12, concurrency: { match: 4, deliver: 10, slow: 4 } }
  const lines: string[] = []
  const { alone, beside } = await measureIsolation(plan, (line) => lines.push(line), stopping.signal)
  expect({ lines, isDelayed: beside.p99 > alone.p99 * 1.2 + GRACE_MS }).toEqual({ lines, isDelayed: false })
}, 150_000)
