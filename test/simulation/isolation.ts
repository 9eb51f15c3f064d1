import { runCommand } from '#lib/command-line/command-line.ts'
import { numberOr, readFlags } from './flags.ts'
import { measureIsolation } from './isolation/run.ts'

/** Most by which the p99 of good destinations may grow while one is dead and one takes ten seconds. */
const MOST = 1.2

export const USAGE = `Sends events to 50 good destinations, in turns with and without a dead destination and one that takes ten seconds. Ends with 1 if the p99 of
the good destinations is more than ${Math.round((MOST - 1) * 100)} % higher with these two.

  npm run simulate -- isolation [--rounds 5]

  --rounds N  of 40 seconds with them and 40 without
  --help      print this
`

const FLAGS = { rounds: numberOr(5, [1, 100]) }

const print = (line: string) => void process.stdout.write(`${line}\n`)

const run = async ({ rounds }: { readonly rounds: number }): Promise<number> => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopping.abort()
      process.exit(130)
    })
  }
  // At this rate, half of the runs are idle. Without a slow lane, the bad destinations would take all of them.
  const plan = { rounds, seconds: 40, rate: 20, concurrency: { match: 4, deliver: 10, slow: 4 } }
  print(
    `50 destinations, ${plan.rate} events a second, ${rounds} rounds of ${plan.seconds} s with a dead and a slow one, and beside them without`,
  )
  const { alone, beside, faults } = await measureIsolation(plan, print, stopping.signal)
  print(`all well: median ${alone.median} ms, p99 ${alone.p99} ms of ${alone.count}`)
  print(`one dead, one slow: median ${beside.median} ms, p99 ${beside.p99} ms of ${beside.count}`)
  print(`the p99 grows by ${Math.round((beside.p99 / alone.p99 - 1) * 100)} %, at most ${Math.round((MOST - 1) * 100)} % are allowed`)
  for (const fault of faults) print(`FAULT: ${fault}`)
  return beside.p99 <= alone.p99 * MOST && faults.length === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
