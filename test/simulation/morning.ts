import * as v from 'valibot'
import { type CommandLine, mistake, runCommand } from '#lib/command-line/command-line.ts'
import { isGiven, numberOr, readFlags, wholeNumber } from './flags.ts'
import type { Request } from './lateness/run.ts'
import { runAndPrint } from './lateness.ts'

export const USAGE = `Plays a morning at which the leads of all users become due at one instant, with the real handlers, a real table with DynamoDB's
limits, and time, queue and agent simulated. Half of the leads belong to one user. Users have from 1 to 2,000 lines. Each call takes a
minute, but one in ten ends within two seconds. Ends with 1 when a bound is broken.

The first minute shows when each user's first call begins, and when all lines are in use. After a minute, each call ends and the next one
starts. So two minutes show all that the bounds are about, and the hottest second. Each further minute repeats the second one.

  npm run simulate -- morning [--leads 100000] [--owners 200] [--seconds 120]

  --leads N    of all users, at least 20 for each (default 100,000; 1,000,000 take about an hour); the most lines are a line for each 250 leads of the largest user, up to 2,000
  --owners N   number of users, from 2 (default 200)
  --seconds N  of the morning (default 120)
  --seed N     of everything random (default 1)
  --quiet      no progress
  --help       print this
`

const FLAGS = {
  leads: v.optional(wholeNumber([1, 1_000_000])),
  owners: v.optional(wholeNumber([2, 1000])),
  seed: numberOr(1, [1, 2 ** 31 - 1]),
  seconds: v.optional(wholeNumber([1, 3600])),
  quiet: isGiven,
}

/** With fewer leads, the costs of sweeps hide those of calls. */
const LEADS_OF_OWNER = 20

const readCommandLine = (args: readonly string[]): CommandLine<Request> => {
  const read = readFlags(args, FLAGS)
  if (read.kind !== 'run') return read
  const { quiet, seed, leads = 100_000, owners = 200, seconds = 120 } = read.options
  if (leads < LEADS_OF_OWNER * owners) return mistake(`${owners} users need --leads ${LEADS_OF_OWNER * owners} at least.`)
  const size = { leads, owners, seed, seconds, isShort: false, isFair: true, plantedLateness: 0 }
  return { kind: 'run', options: { scenarios: ['morning'], size, jobs: 1, quiet } }
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args), USAGE, runAndPrint)
