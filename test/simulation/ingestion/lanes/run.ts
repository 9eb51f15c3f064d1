import { inLanes } from '#shared/platform/lanes.ts'
import { runApart } from '../../run-apart.ts'
import type { Circumstances } from '../run.ts'
import { PARSE_MS, ROW_MS } from './processor.ts'
import type { Order, Result } from './simulate.ts'

/** Runs at a time. Each has a process, and an engine that works while the process does. */
const JOBS = 2

const PROCESS = new URL('process.ts', import.meta.url)

const runOne = async (order: Order, { signal }: Circumstances): Promise<Result> =>
  JSON.parse(await runApart(PROCESS, order, { signal })) as Result

interface Parallel {
  readonly rows: number
  readonly seed: number
  /** How many workers read the file, in each run. The first run is what the others are compared with. */
  readonly workers: readonly number[]
  /** The share of the speed that further workers add at best which the last run must reach. */
  readonly least: number
}

/** Reads one file with more and more workers, on a virtual clock. @returns what is wrong */
export const ingestInParallel = async ({ rows, seed, workers, least }: Parallel, circumstances: Circumstances): Promise<string[]> => {
  const { print } = circumstances
  print(
    `${rows} rows in modelled time: ${ROW_MS} ms of a processor for a row that is written, ${1000 * PARSE_MS} µs for each row of the file`,
  )
  const faults: string[] = []
  const rates: number[] = []
  const runs = await inLanes(JOBS, workers, async (count) => {
    const began = performance.now()
    const result = await runOne({ workers: count, rows, seed }, circumstances)
    print(`  with ${count} workers: played in ${Math.round((performance.now() - began) / 1000)} s`)
    return { count, ...result }
  })
  for (const { count, rate, busiest, throttled, faults: found } of runs) {
    rates.push(rate)
    faults.push(...found.map((fault) => `with ${count} workers, ${fault}`))
    const times = (rate / (rates[0] ?? rate)).toFixed(1)
    print(`${count} workers: ${Math.round(rate)} rows a second, ${times} times those of ${workers[0]}; ${throttled} requests throttled`)
    print(`  busiest keys, of what a partition takes: ${busiest.join(', ')}`)
  }
  const [first = 1, last = first] = [workers[0], workers.at(-1)]
  const [times, leastTimes] = [(rates.at(-1) ?? 0) / (rates[0] ?? 1), (least * last) / first]
  return times >= leastTimes
    ? faults
    : [...faults, `${last} workers read ${times.toFixed(1)} times as fast as ${first}, not ${leastTimes} times`]
}
