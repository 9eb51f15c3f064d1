import { runCommand } from '#lib/command-line/command-line.ts'
import { numberOr, readFlags } from './flags.ts'

export const USAGE = `Imports a do-not-call registry twice and then changes of a hundredth of it, each in a process of its own, and looks up 1,000 numbers. Prints
what that costs. Ends with 1 when an import needs more than 256 MiB of memory or more than 4 write units for each block, when a look-up is wrong, or
when a look-up costs more than half a read unit.

  npm run simulate -- registry [--numbers 50000000]

  --numbers N  on the list
  --help       print this
`

const FLAGS = { numbers: numberOr(50_000_000, [1000, 1_000_000_000]) }

const run = async ({ numbers }: Record<keyof typeof FLAGS, number>): Promise<number> => {
  // Functions read their log level when they are loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { importNumbers } = await import('./registry/run.ts')
  const { costs, faults, blocks, bytes, lookUps } = await importNumbers(numbers, (text) => void process.stderr.write(text))
  console.table(costs)
  process.stdout.write(`${blocks} blocks, ${bytes} bytes. 1,000 look-ups: ${lookUps} read units\n`)
  for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`)
  return faults.length === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
