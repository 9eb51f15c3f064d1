import { runCommand } from '#lib/command-line/command-line.ts'
import { startLimits } from './limits/start-limits.ts'
import { type Request, readCommandLine, USAGE } from './races/command-line.ts'
import { faultsOf } from './races/findings.ts'
import { linesOf } from './races/lines.ts'
import { missingOrders, orderLines } from './races/orders.ts'

/** Most faults to print. */
const MOST = 40

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns the exit code */
const run = async ({ races, pace, seed }: Request): Promise<number> => {
  // Functions read their log level when they are loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { runRaces } = await import('./races/run.ts')
  const limits = await startLimits()
  const results = await runRaces(races, pace, seed, limits).finally(limits.stop)
  for (const line of [...linesOf(results.outcomes), ...orderLines(results.outcomes), ...results.lines]) print(line)
  const faults = [...results.faults, ...faultsOf(results.outcomes), ...missingOrders(results.outcomes)]
  for (const fault of faults.slice(0, MOST)) print(`FAULT: ${fault}`)
  print(faults.length === 0 ? 'No call was dialled against a stop, or without a consent that was demanded.' : `${faults.length} faults.`)
  return faults.length === 0 ? 0 : 1
}

export { USAGE }

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args, process.env), USAGE, run)
