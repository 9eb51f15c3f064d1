import { parseArgs } from 'node:util'
import { type CommandLine, mistake, readBy, wrongNumber } from '#lib/command-line.ts'
import { planRaces, type Race } from './plan.ts'
import { PLANTS } from './plants.ts'
import type { Pace } from './run.ts'

export const USAGE = `Has stops – flags, entries on the list, cancellations, bulk updates, pauses, reports of the agent – and dials of the same leads begin
at the same moment, with the real handlers, a real table and a real agent; prints which came first and how long after a stop's
acknowledgement the agent was asked for a call, and ends with 1 when a call was dialled against a stop.

  npm run races -- [--races 1000] [--seed N]

  --races   at least 20. Or the variable RACES
  --rate    races that begin in a second (default 8, in short 20)
  --seed    of everything drawn (default 1); the machine decides which comes first all the same
  --short   agents are asked again only once
  --plant   phone, lines or lead: that condition is missing from the dial transaction
  --help    print this
`

export interface Request {
  readonly races: readonly Race[]
  readonly pace: Pace
  readonly seed: number
}

const LIMITS = { races: [20, 9999], seed: [1, 2 ** 31 - 1], rate: [1, 100] } as const

/** A call is given up half a minute after its intent. In short, its messages come back sooner, and time is put forward. */
const WHOLE: Pace = { rate: 8, retries: 32_000, pace: [0.9, 1], hangs: 'some' }
export const SHORT: Pace = { rate: 20, retries: 7500, pace: [0.63, 0.68], hangs: 'first' }

export const readCommandLine = (args: readonly string[], { RACES }: Readonly<Record<string, string | undefined>>): CommandLine<Request> =>
  readBy(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        races: { type: 'string' },
        rate: { type: 'string' },
        seed: { type: 'string', default: '1' },
        plant: { type: 'string' },
        short: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const given = {
      races: values.races ?? RACES ?? (values.short ? '60' : '1000'),
      seed: values.seed,
      rate: values.rate ?? `${(values.short ? SHORT : WHOLE).rate}`,
    }
    const wrong = wrongNumber(given, LIMITS)
    if (wrong) return mistake(wrong)
    const plant = PLANTS.find((one) => one === values.plant)
    if (values.plant !== undefined && !plant) return mistake(`--plant takes ${PLANTS.join(', ')}, not "${values.plant}".`)
    const seed = Number(given.seed)
    const pace = { ...(values.short ? SHORT : WHOLE), rate: Number(given.rate) }
    const races = planRaces(Number(given.races), { seed, retries: pace.retries, plant: plant ?? null })
    return { kind: 'run', options: { races, pace, seed } }
  })
