import { type CommandLine, runCommand } from '#lib/command-line/command-line.ts'
import { numberOr, readFlags } from './flags.ts'
import { changesTable } from './rules/changes-table.ts'
import { compareMany, MOST_FAULTS } from './rules/compare.ts'

export const USAGE = `Compares decisions on calling hours with a slow reading of the same data, which uses nothing of the service: random instants, zones
and jurisdictions, half of them within ten days of a change of the law. Each start that the service plans must be lawful at its own time.
Prints the first and the last lawful minute before and after each change, by both. Ends with 1 when they differ.

  npm run simulate -- rules [--instants 1000000] [--seed N]

  --instants N  at least 100
  --seed N      of everything drawn (default 1)
  --help        print this
`

interface Request {
  readonly instants: number
  readonly seed: number
}

const readCommandLine = (args: readonly string[]): CommandLine<Request> =>
  readFlags(args, { instants: numberOr(1_000_000, [100, 100_000_000]), seed: numberOr(1, [1, 2 ** 31 - 1]) })

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns the exit code */
const run = async ({ instants, seed }: Request): Promise<number> => {
  const table = changesTable()
  for (const line of table.lines) print(line)
  const { faults, lawful, planned } = compareMany(instants, seed)
  print(`${instants} instants: ${lawful} lawful, ${instants - lawful} not; ${planned} planned starts.`)
  const all = [...table.faults, ...faults]
  for (const fault of all.slice(0, MOST_FAULTS)) print(`FAULT: ${fault}`)
  print(all.length === 0 ? 'The service and the slow reading agree.' : `${all.length} faults, or more.`)
  return all.length === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args), USAGE, run)
