import { parseArgs } from 'node:util'
import { type CommandLine, mistake, readBy, wrongNumber } from '#lib/command-line.ts'

export const USAGE = `Sends a file of leads through the local service, made by a script with bad rows of ten kinds, duplicates and quoted line ends, and
compares counts, rejected rows and leads with those of a small reference; sends the same file again, after which nothing may have been
written; compares the memory that it took with that for a small file; and sends another file while the functions are killed and every
event of the bucket and the queues comes twice.

  npm run ingestion -- [--rows 200000] [--kills 20] [--seed N]

  --rows    of the file; 0 leaves it out
  --small   rows of the file that its memory is compared with (default 10000); 0 leaves it out
  --fired   rows of the file that is read while the functions are killed (default 20000)
  --kills   how often they are, at random moments; 0 leaves that out
  --seed    of everything drawn (default 1)
  --short   does not wait for leases to end: the whole service is started later by its clock
  --help    print this
`

export interface Request {
  readonly rows: number
  readonly small: number
  readonly fired: number
  readonly kills: number
  readonly seed: number
  readonly short: boolean
}

const LIMITS = { rows: [0, 1_000_000], small: [0, 1_000_000], fired: [0, 1_000_000], kills: [0, 1000], seed: [0, 2 ** 31 - 1] } as const

export const readCommandLine = (args: readonly string[]): CommandLine<Request> =>
  readBy(() => {
    const number = (value: string) => ({ type: 'string', default: value }) as const
    const { values } = parseArgs({
      args: [...args],
      options: {
        rows: number('200000'),
        small: number('10000'),
        fired: number('20000'),
        kills: number('20'),
        seed: number('1'),
        short: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const wrong = wrongNumber(values, LIMITS)
    if (wrong) return mistake(wrong)
    const { rows, small, fired, kills, seed, short } = values
    return {
      kind: 'run',
      options: { rows: Number(rows), small: Number(small), fired: Number(fired), kills: Number(kills), seed: Number(seed), short },
    }
  })
