import { parseArgs } from 'node:util'
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

const LIMITS = { kills: 10_000, restarts: 1_000, leads: 3_000, seed: 2 ** 31 - 1, settling: 3_600 } as const

type CommandLine =
  | { readonly kind: 'run'; readonly plan: Plan }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

/** @param chance the seed when none is given */
export const readCommandLine = (args: readonly string[], chance: number): CommandLine => {
  try {
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
    const wrong = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).find(
      (name) => !/^\d+$/.test(values[name]) || Number(values[name]) > LIMITS[name],
    )
    if (wrong) return { kind: 'mistake', message: `--${wrong} takes a whole number from 0 to ${LIMITS[wrong]}, not "${values[wrong]}".` }
    const [kills, restarts, leads, seed] = [values.kills, values.restarts, values.leads, values.seed].map(Number)
    return {
      kind: 'run',
      plan: { kills: kills!, restarts: restarts!, leads: leads!, seed: seed!, settlingSeconds: Number(values.settling) },
    }
  } catch (error) {
    return { kind: 'mistake', message: `${(error as Error).message.split(/\.(\s|$)/)[0]}.` }
  }
}
