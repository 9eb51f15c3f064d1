import * as v from 'valibot'
import type { CommandLine } from '#lib/command-line/command-line.ts'
import { isGiven, numberOr, oneOf, readFlags, someOf, wholeNumber } from '../flags.ts'
import type { Request } from './run.ts'
import { LATENESS_NAMES } from './scenarios.ts'

export const USAGE = `Plays an hour with many calls, and a morning at which one user's leads all come due, with the real handlers, a real table, and
time, queue and agent simulated; prints how late calls are, and ends with 1 when a bound is broken.

  npm run simulate -- lateness [--leads 20000] [--owners 50] [--scenario NAME]...

  --leads N        due within the hour; half as many are one user's at eight o'clock. Or the variable LEADS
  --owners N       number of users. Or the variable OWNERS
  --scenario NAME  ${LATENESS_NAMES.join(', ')}; all of them unless some are named
  --short          400 leads of 10 users, and of the morning the first quarter of an hour
  --seed N         of everything random (default 1)
  --jobs N         simulations at a time (default 2)
  --plant KIND     "late": messages come three seconds late; "unfair": the queue does not look after quiet users
  --quiet          no progress
  --help           print this
`

const PLANTED_LATENESS = 3000

const FLAGS = {
  leads: v.optional(wholeNumber([1, 200_000])),
  owners: v.optional(wholeNumber([1, 1000])),
  scenario: someOf(LATENESS_NAMES),
  seed: numberOr(1, [1, 2 ** 31 - 1]),
  jobs: numberOr(2, [1, 16]),
  plant: oneOf(['late', 'unfair']),
  short: isGiven,
  quiet: isGiven,
}

export const readCommandLine = (
  args: readonly string[],
  { LEADS, OWNERS }: Readonly<Record<string, string | undefined>>,
): CommandLine<Request> => {
  const given = [...(LEADS === undefined ? [] : ['--leads', LEADS]), ...(OWNERS === undefined ? [] : ['--owners', OWNERS])]
  const read = readFlags([...given, ...args], FLAGS)
  if (read.kind !== 'run') return read
  const { short: isShort, plant, seed, jobs, quiet, leads = isShort ? 400 : 20_000, owners = isShort ? 10 : 50 } = read.options
  const scenarios = LATENESS_NAMES.filter((name) => read.options.scenario.includes(name))
  const size = { leads, owners, seed, isShort, isFair: plant !== 'unfair', plantedLateness: plant === 'late' ? PLANTED_LATENESS : 0 }
  return { kind: 'run', options: { scenarios, size, jobs, quiet } }
}
