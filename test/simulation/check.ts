import { runCommand } from '#lib/command-line.ts'
import { numberOr, readFlags } from './flags.ts'

/** Most memory of the process of a check, at any size of the table. */
const MOST_MIB = 256

export const USAGE = `Checks tables of 10,000 and more leads with one damage of every kind, each check in a process of its own. Prints the peak memory, and ends
with 1 when it is more than ${MOST_MIB} MiB, or when a check misses damage or reports something else.

  npm run simulate -- check [--leads 1000000] [--heap 128]

  --leads N  in the largest table
  --heap N   MiB of the old generation of the heap of a check
  --help     print this
`

const FLAGS = { leads: numberOr(1_000_000, [100, 100_000_000]), heap: numberOr(128, [32, 4096]) }

const run = async ({ leads, heap }: Record<keyof typeof FLAGS, number>): Promise<number> => {
  // Functions read their log level when they are loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { checkTables } = await import('./check/run.ts')
  const sizes = [10_000, 100_000].filter((size) => size < leads)
  const { costs, faults } = await checkTables({
    ...{ sizes: [...sizes, leads], heap },
    progress: (text) => void process.stderr.write(text),
  })
  process.stderr.write('\n')
  console.table(costs)
  const large = costs.filter((cost) => cost['peak MiB'] > MOST_MIB).map((cost) => `${cost.leads} leads took ${cost['peak MiB']} MiB`)
  const all = [...faults, ...large]
  for (const fault of all) process.stdout.write(`FAULT: ${fault}\n`)
  return all.length === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
