import { runCommand } from '#lib/command-line/command-line.ts'
import { readCommandLine, USAGE } from './platforms/command-line.ts'
import type { PlatformsPlan } from './platforms/run.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns the exit code */
const run = async (plan: PlatformsPlan): Promise<number> => {
  // Functions read their log level when they are loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { runPlatforms } = await import('./platforms/run.ts')
  const { faults, lines } = await runPlatforms(plan, print)
  for (const line of lines) print(line)
  for (const fault of faults) print(`FAULT: ${fault}`)
  print(faults.length === 0 ? 'Every end has an outcome, and every lead follows from it.' : `${faults.length} faults.`)
  return faults.length === 0 ? 0 : 1
}

export { USAGE }

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args), USAGE, run)
