import { runCommand } from '#lib/command-line/command-line.ts'
import { numberOr, readFlags } from './flags.ts'

export const USAGE = `Checks tables of 1,000 and more leads with one damage of every kind, each check in a process of its own, and exports and erases one
person among them. Prints what that costs. Ends with 1 when a check needs more than 256 MiB of memory, misses damage or reports something else, or
when one person costs more read units among more leads.

  npm run simulate -- check [--leads 1000000]

  --leads N  in the largest table
  --help     print this
`

const FLAGS = { leads: numberOr(1_000_000, [100, 100_000_000]) }

const run = async ({ leads }: Record<keyof typeof FLAGS, number>): Promise<number> => {
  // Functions read their log level when they are loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { checkTables } = await import('./check/run.ts')
  const sizes = [1000, 100_000].filter((size) => size < leads)
  const { costs, faults } = await checkTables({ sizes: [...sizes, leads], progress: (text) => void process.stderr.write(text) })
  process.stderr.write('\n')
  console.table(costs)
  for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`)
  return faults.length === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
