import { runCommand } from '#lib/command-line/command-line.ts'
import { simulateDeliveries } from './deliveries/run.ts'
import { numberOr, readFlags } from './flags.ts'

export const USAGE = `Sends events to a receiver that fails at 30 % of them, lets 5 % hang and is restarted, and checks that each was delivered, or failed as often
as the schedule has it, and that the log says so.

  npm run simulate -- deliveries [--events 10000] [--restarts 5] [--seed 1]

  --events N    events to send
  --restarts N  restarts of the receiver meanwhile
  --seed N      seed of the failures
  --help        print this
`

const FLAGS = {
  events: numberOr(10_000, [1, 100_000]),
  restarts: numberOr(5, [0, 100]),
  seed: numberOr(1, [0, 2 ** 31 - 1]),
}

/** Most faults to print. */
const MOST = 50

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns the exit code */
const run = async (plan: Record<keyof typeof FLAGS, number>): Promise<number> => {
  print(`${plan.events} events to a destination that fails 30 %, lets 5 % hang and is restarted ${plan.restarts} times; seed ${plan.seed}`)
  const faults = await simulateDeliveries(plan, print)
  for (const fault of faults.slice(0, MOST)) print(`FAULT: ${fault}`)
  print(
    faults.length === 0
      ? 'Every event was delivered, or failed as often as the schedule has it, and the log says so.'
      : `${faults.length} faults`,
  )
  return faults.length === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
