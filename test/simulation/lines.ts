import { type CommandLine, runCommand } from '#lib/command-line/command-line.ts'
import { isGiven, numberOr, readFlags } from './flags.ts'
import type { Request } from './lateness/run.ts'
import { runAndPrint } from './lateness.ts'

export const USAGE = `Plays one user with many lines, whose leads all become due at one instant, with the real handlers, a real table with
DynamoDB's limits, and time, queue and agent simulated. The calls last 20 seconds on average from the dial to the end. One in ten ends within two seconds. Counts the starts a second once
all lines are in use. Ends with 1 when a bound is broken. 10,000 lines make 500 calls a second: the default takes about half an hour.

  npm run simulate -- lines [--lines 10000] [--seconds 60]

  --lines N    of the user (default 10,000)
  --seconds N  for which the starts are counted, after the first 40 (default 60). At least 20: calls come in waves
  --leads N    all due at once (default and least: the calls until the end)
  --seed N     of everything random (default 1)
  --quiet      no progress
  --help       print this
`

const FLAGS = {
  lines: numberOr(10_000, [20, 10_000]),
  seconds: numberOr(60, [20, 3600]),
  leads: numberOr(1, [1, 1_000_000]),
  seed: numberOr(1, [1, 2 ** 31 - 1]),
  quiet: isGiven,
}

const readCommandLine = (args: readonly string[]): CommandLine<Request> => {
  const read = readFlags(args, FLAGS)
  if (read.kind !== 'run') return read
  const { quiet, ...given } = read.options
  const size = { ...given, owners: 1, isShort: false, isFair: true, plantedLateness: 0 }
  return { kind: 'run', options: { scenarios: ['lines'], size, jobs: 1, quiet } }
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args), USAGE, runAndPrint)
