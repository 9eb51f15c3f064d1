import type * as v from 'valibot'
import { type CommandLine, mistake } from '#lib/command-line/command-line.ts'
import { isGiven, numberOr, readFlags, someOf } from '../flags.ts'

export const USAGE = `Sends a file of leads through the local service, made by a script with bad rows of many kinds, duplicates and quoted line ends, and
compares counts, rejected rows and leads with those of a small reference; sends the same file again, after which nothing may have been
written; compares the memory that it took with that for a small file; and sends another file while the functions are killed and every
event of the bucket and the queues comes twice. Lanes read that file, because its notes make it large. Finally 1, 2, 4 and 8 workers read a
file in modelled time.

  npm run simulate -- ingestion [--rows 200000] [--kills 20] [--lanes 40000] [--seed N]

  --rows N     of the file (default 200000); 0 leaves it out
  --small N    rows of the file that its memory is compared with (default 10000); 0 leaves it out
  --fired N    rows of the file that is read while the functions are killed (default 20000)
  --notes N    characters of notes in each of these rows (default 1600)
  --kills N    how often they are, at random moments (default 20); 0 leaves that out
  --lanes N    rows of the file that more and more workers read, at least 40000; 0 leaves it out (default 40000)
  --workers N  how many workers read that file: 1, 2, 4 or 8; may be repeated (default: each of these)
  --seed N     of everything drawn (default 1)
  --short      does not wait for leases to end: the whole service is started later by its clock
  --help       print this
`

/** With fewer rows, the slow beginning of each worker counts too much. */
const FEWEST_LANES = 40_000

const FLAGS = {
  rows: numberOr(200_000, [0, 1_000_000]),
  small: numberOr(10_000, [0, 1_000_000]),
  fired: numberOr(20_000, [0, 1_000_000]),
  notes: numberOr(1600, [0, 100_000]),
  kills: numberOr(20, [0, 1000]),
  lanes: numberOr(FEWEST_LANES, [0, 5_000_000]),
  workers: someOf(['1', '2', '4', '8']),
  seed: numberOr(1, [0, 2 ** 31 - 1]),
  short: isGiven,
}

export type Request = v.InferOutput<v.ObjectSchema<typeof FLAGS, undefined>>

export const readCommandLine = (args: readonly string[]): CommandLine<Request> => {
  const read = readFlags(args, FLAGS)
  if (read.kind !== 'run') return read
  const { rows, kills, lanes } = read.options
  if (lanes > 0 && lanes < FEWEST_LANES)
    return mistake(`--lanes is 0 or at least ${FEWEST_LANES}: with fewer rows, the slow beginning of each worker counts too much.`)
  return rows + kills + lanes > 0 ? read : mistake('Nothing is left to simulate: --rows, --kills and --lanes are 0.')
}
