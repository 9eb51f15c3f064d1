import { runCommand } from '#lib/command-line/command-line.ts'
import { type Request, readCommandLine, USAGE } from './ingestion/command-line.ts'
import { ingestInParallel } from './ingestion/lanes/run.ts'
import { type Circumstances, ingestTwice, ingestUnderFire, memoryFor } from './ingestion/run.ts'

/** So much of the speed that further workers add at best must be reached: eight are six times as fast as one. */
const LEAST_GAIN = 6 / 8
/** How many MiB more a large file may take than a small one. */
const MOST_MEMORY = 64

const print = (line: string) => void process.stdout.write(`${line}\n`)

const memoryFaults = async (peak: number, { small, seed }: Request, circumstances: Circumstances): Promise<string[]> => {
  const least = await memoryFor({ rows: small, seed, isContradictory: false }, circumstances)
  if (peak - least <= MOST_MEMORY) return []
  return [`the worker took ${Math.round(peak - least)} MiB more than for ${small} rows`]
}

const run = async (request: Request, circumstances: Circumstances): Promise<string[]> => {
  const { rows, small, fired, notes, kills, lanes, workers, seed, short } = request
  const faults: string[] = []
  if (rows > 0) {
    // By default, the file is large enough for lanes.
    const { faults: found, peak } = await ingestTwice({ rows, seed, isContradictory: false, isInLanes: true }, circumstances)
    faults.push(...found)
    if (small > 0) faults.push(...(await memoryFaults(peak, request, circumstances)))
  }
  if (kills > 0) {
    const spec = { rows: fired, seed: seed + 1, isContradictory: true, isInLanes: true, notes }
    faults.push(...(await ingestUnderFire(spec, { kills, seed, isHurried: short }, circumstances)))
  }
  if (lanes > 0)
    faults.push(...(await ingestInParallel({ rows: lanes, seed, workers: workers.map(Number), least: LEAST_GAIN }, circumstances)))
  return faults
}

/** @returns the exit code */
const runUntilStopped = async (request: Request): Promise<number> => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  try {
    const faults = await run(request, { print, signal: stopping.signal })
    for (const fault of faults) print(`FAULT: ${fault}`)
    print(faults.length === 0 ? 'Every row counted once, and for what it was.' : `${faults.length} faults.`)
    return faults.length === 0 ? 0 : 1
  } catch (error) {
    print(stopping.signal.aborted ? 'It was stopped.' : `The run failed: ${error instanceof Error ? error.stack : error}`)
    return stopping.signal.aborted ? 130 : 1
  }
}

export { USAGE }

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args), USAGE, runUntilStopped)
