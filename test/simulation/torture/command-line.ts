import { parseArgs } from 'node:util'
import { type CommandLine, mistake, readBy, wrongNumber } from '#lib/command-line.ts'
import type { Plan } from './run.ts'

export const USAGE = `Kills the service while leads are created and called, and checks that nothing is lost and nobody is called twice.

  npm run torture -- [--kills 100] [--restarts 10] [--leads 300] [--seed N]

  --kills     kill -9 of the functions' process
  --restarts  kill -9 of the whole service
  --leads     leads to be created meanwhile
  --seed      of the random moments; printed, so that a run can be repeated
  --settling  seconds within which everything is to be settled after the last kill (default 480)
  --help      print this
`

const LIMITS = { kills: [0, 10_000], restarts: [0, 1_000], leads: [0, 3_000], seed: [0, 2 ** 31 - 1], settling: [0, 3_600] } as const

/** @param chance the seed when none is given */
export const readCommandLine = (args: readonly string[], chance: number): CommandLine<Plan> =>
  readBy(() => {
    const number = (value: string) => ({ type: 'string', default: value }) as const
    const { values } = parseArgs({
      args: [...args],
      options: {
        kills: number('100'),
        restarts: number('10'),
        leads: number('300'),
        seed: number(`${chance}`),
        settling: number('480'),
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const wrong = wrongNumber(values, LIMITS)
    if (wrong) return mistake(wrong)
    const [kills, restarts, leads, seed] = [values.kills, values.restarts, values.leads, values.seed].map(Number)
    return {
      kind: 'run',
      options: { kills: kills!, restarts: restarts!, leads: leads!, seed: seed!, settlingSeconds: Number(values.settling) },
    }
  })
