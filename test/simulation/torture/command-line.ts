import type { CommandLine } from '#lib/command-line.ts'
import { numberOr, readFlags } from '../flags.ts'
import type { Plan } from './run.ts'

export const USAGE = `Kills the service while leads are created and called, and checks that nothing is lost and nobody is called twice.

  npm run simulate -- torture [--kills 100] [--restarts 10] [--leads 300] [--seed N]

  --kills N           kill -9 of the functions' process
  --restarts N        kill -9 of the whole service
  --leads N           leads to be created meanwhile
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
  seed: numberOr(chance, [0, 2 ** 31 - 1]),
  settling: numberOr(480, [0, 3_600]),
})

/** @param chance the default seed */
export const readCommandLine = (args: readonly string[], chance: number): CommandLine<Plan> => {
  const read = readFlags(args, flags(chance))
  if (read.kind !== 'run') return read
  const { settling, ...plan } = read.options
  return { kind: 'run', options: { ...plan, settlingSeconds: settling, isPatient: settling > PATIENT_SECONDS } }
}
