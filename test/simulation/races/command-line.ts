import * as v from 'valibot'
import type { CommandLine } from '#lib/command-line/command-line.ts'
import { isGiven, numberOr, oneOf, readFlags, wholeNumber } from '../flags.ts'
import { planRaces, type Race } from './plan.ts'
import { PLANTS } from './plants.ts'
import type { Pace } from './run.ts'

export const USAGE = `Has stops – flags, entries on the list, revocations, cancellations, bulk updates, pauses, reports of the agent – and dials of the same leads begin
at the same moment, with the real handlers, a real table and a real agent. In two of five races, the lead type demands a consent, and a
stop, a consent and a revocation are sent in every order and at once. Prints which came first and how long after a stop's
acknowledgement the agent was asked for a call, and ends with 1 when a call was dialled against a stop or without a consent.

  npm run simulate -- races [--races 1000] [--seed N]

  --races N          at least 20. Or the variable RACES
  --rate N           races that begin in a second (default 8, in short 20)
  --seed N           of everything drawn (default 1); the machine decides which comes first all the same
  --short            agents are asked again only once
  --plant CONDITION  phone, lines or lead: that condition is missing from the dial transaction. demand: the lead types demand no consent
  --help             print this
`

export interface Request {
  readonly races: readonly Race[]
  readonly pace: Pace
  readonly seed: number
}

const FLAGS = {
  races: v.optional(wholeNumber([20, 9999])),
  rate: v.optional(wholeNumber([1, 100])),
  seed: numberOr(1, [1, 2 ** 31 - 1]),
  short: isGiven,
  plant: oneOf(PLANTS),
}

/** The service gives a call up half a minute after its intent. In the short form, messages come back sooner, and the clock skips ahead. */
const WHOLE: Pace = { rate: 8, retries: 32_000, sweeps: 30_000, pace: [0.9, 1], hangs: 'some' }
export const SHORT: Pace = { rate: 20, retries: 7500, sweeps: 10_000, pace: [0.63, 0.68], hangs: 'first' }

export const SHORT_RACES = 80

export const readCommandLine = (args: readonly string[], { RACES }: Readonly<Record<string, string | undefined>>): CommandLine<Request> => {
  const read = readFlags(RACES === undefined ? args : ['--races', RACES, ...args], FLAGS)
  if (read.kind !== 'run') return read
  const { short, plant = null, seed, races = short ? SHORT_RACES : 1000 } = read.options
  const whole = short ? SHORT : WHOLE
  const pace = { ...whole, rate: read.options.rate ?? whole.rate }
  return { kind: 'run', options: { races: planRaces(races, { seed, retries: pace.retries, plant }), pace, seed } }
}
