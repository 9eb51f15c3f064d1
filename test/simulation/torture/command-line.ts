import { type CommandLine, mistake } from '#lib/command-line/command-line.ts'
import { numberOr, oneOf, readFlags } from '../flags.ts'
import { ROUND_DEFECTS, type RoundDefect } from './rounds/defects.ts'
import type { Plan } from './run.ts'

/** Both parts of a run. */
export interface TorturePlan extends Plan {
  readonly rounds: number
  readonly each: number
  /** A defect in the service that the rounds must find. */
  readonly plant: RoundDefect | null
}

export const USAGE = `Kills the service while leads are created and called, and checks that nothing is lost and nobody is called twice.
Then plays rounds of calls through agents on platforms of every kind, side by side: those that may be asked again, those where a call
can be looked up, and one with neither. Requests, callbacks, messages and functions fail, on a clock that leaps from event to event.

  npm run simulate -- torture [--kills 100] [--restarts 10] [--leads 300] [--rounds 5] [--seed N]

  --kills N           kill -9 of the functions' process (default 100)
  --restarts N        kill -9 of the whole service (default 10)
  --leads N           leads to be created meanwhile (default 300); 0 leaves this part out
  --rounds N          rounds of calls on platforms (default 5); 0 leaves them out
  --each N            leads of each platform in a round (default 6)
  --plant DEFECT      one of: ${ROUND_DEFECTS.join(', ')}; the rounds then run with it
  --seed N            of the random moments; printed, so that a run can be repeated
  --settling SECONDS  time for everything to finish after the last kill (default 480)
  --help              print this
`

/** A phone in a call is tried again two minutes later. A run with this much time waits for that. */
const PATIENT_SECONDS = 240

const flags = (chance: number) => ({
  kills: numberOr(100, [0, 10_000]),
  restarts: numberOr(10, [0, 1_000]),
  leads: numberOr(300, [0, 3_000]),
  rounds: numberOr(5, [0, 100]),
  each: numberOr(6, [1, 50]),
  plant: oneOf(ROUND_DEFECTS),
  seed: numberOr(chance, [0, 2 ** 31 - 1]),
  settling: numberOr(480, [0, 3_600]),
})

/** @param chance the default seed */
export const readCommandLine = (args: readonly string[], chance: number): CommandLine<TorturePlan> => {
  const read = readFlags(args, flags(chance))
  if (read.kind !== 'run') return read
  const { settling, plant = null, ...plan } = read.options
  if (plan.leads + plan.rounds === 0) return mistake('Nothing is left to simulate: --leads and --rounds are 0.')
  return { kind: 'run', options: { ...plan, plant, settlingSeconds: settling, isPatient: settling > PATIENT_SECONDS } }
}
