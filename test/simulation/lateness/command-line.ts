import { parseArgs } from 'node:util'
import { type CommandLine, mistake, readBy, wrongNumber } from '#lib/command-line.ts'
import type { Request } from './run.ts'
import { SCENARIO_NAMES } from './scenarios.ts'

export const USAGE = `Plays an hour with many calls, and a morning at which one owner's leads all come due, with the real handlers, a real table, and
time, queue and agent simulated; prints how late calls are, and ends with 1 when a bound is broken.

  npm run lateness -- [--leads 20000] [--owners 50] [--scenario NAME]...

  --leads     due within the hour; half as many are one owner's at eight o'clock. Or the variable LEADS
  --owners    or the variable OWNERS
  --scenario  ${SCENARIO_NAMES.join(', ')}; all of them unless some are named
  --short     400 leads of 10 owners, and of the morning the first quarter of an hour
  --seed      of everything random (default 1)
  --jobs      simulations at a time (default 2)
  --plant     "late": messages come three seconds late; "unfair": the queue does not look after quiet owners
  --quiet     no progress
  --help      print this
`

const PLANTED_LATENESS = 3000
const PLANTS = ['late', 'unfair']
const LIMITS = { leads: [1, 200_000], owners: [1, 1000], seed: [1, 2 ** 31 - 1], jobs: [1, 16] } as const

export const readCommandLine = (
  args: readonly string[],
  { LEADS, OWNERS }: Readonly<Record<string, string | undefined>>,
): CommandLine<Request> =>
  readBy(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        leads: { type: 'string' },
        owners: { type: 'string' },
        scenario: { type: 'string', multiple: true, default: SCENARIO_NAMES },
        seed: { type: 'string', default: '1' },
        jobs: { type: 'string', default: '2' },
        plant: { type: 'string' },
        short: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const { short: isShort, quiet, plant, seed, jobs } = values
    const given = {
      leads: values.leads ?? LEADS ?? (isShort ? '400' : '20000'),
      owners: values.owners ?? OWNERS ?? (isShort ? '10' : '50'),
      seed,
      jobs,
    }
    const wrong = wrongNumber(given, LIMITS)
    if (wrong) return mistake(wrong)
    const scenarios = SCENARIO_NAMES.filter((name) => values.scenario.includes(name))
    const unknown = values.scenario.find((name) => !SCENARIO_NAMES.some((known) => known === name))
    if (unknown !== undefined) return mistake(`There is no scenario "${unknown}".`)
    if (plant !== undefined && !PLANTS.includes(plant)) return mistake(`--plant takes ${PLANTS.join(' or ')}, not "${plant}".`)
    const size = {
      leads: Number(given.leads),
      owners: Number(given.owners),
      seed: Number(seed),
      isShort,
      isFair: plant !== 'unfair',
      plantedLateness: plant === 'late' ? PLANTED_LATENESS : 0,
    }
    return { kind: 'run', options: { scenarios, size, jobs: Number(jobs), quiet } }
  })
