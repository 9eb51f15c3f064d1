import { type Chance, chanceFrom } from '../lateness/chance.ts'
import type { Plant } from './plants.ts'

/** What stops a call, or comes between a call and its callback. */
export const KINDS = [
  'flag on the lead',
  'flag on another lead of the phone',
  'entry on the list',
  'lead cancelled',
  'bulk update',
  'pause of all',
  'pause of the existing leads',
  'report of another call',
  'cancelled in the call',
] as const
export type Kind = (typeof KINDS)[number]

/** A tenth of the races end in a callback, which is told around the stop. */
const IN_THE_CALL = 10

/** Milliseconds within which a dial and a stop that are meant to meet begin: most stops take longer until they are written, a pause does not. */
const DIALS = 150
const STOPS = [0, 70] as const
const PAUSES = [40, 180] as const
/** Milliseconds for which a pause lasts, at least. */
const SHORTEST = 300
/** Milliseconds from the first copy of a message to another. */
const COPY = 20
/** Milliseconds from the dial within which the agent answers, and within which it is asked again. */
const ANSWERING = 400
/** One stop against the call of one lead. Times are milliseconds from the start of the race. */
export interface Race {
  readonly index: number
  readonly kind: Kind
  /** When each copy of the message comes that has the lead dialled; in a call, when its callback is told. */
  readonly starts: readonly number[]
  readonly stop: number
  /** From the acknowledgement of the stop to one more copy. */
  readonly late: number
  /** From the acknowledgement of a pause to its end. */
  readonly lifted: number
  /** Whether the other lead, or the list, is another user's of the same group. */
  readonly isFellows: boolean
  readonly patch: Readonly<Record<string, unknown>>
  /** Whether the agent never accepts the call, so that it is asked until its time is over, or it is stopped. */
  readonly isFailing: boolean
  /** What is missing from the lead's dial transaction. */
  readonly plant: Plant | null
}

export interface Plan {
  readonly seed: number
  /** Milliseconds from a dial for which the agent is asked again; a pause is lifted in the first third of what is left of them. */
  readonly retries: number
  readonly plant?: Plant | null
  /** Of the first race. */
  readonly index?: number
}

const BULK_STOPS = [{ call_dnc: true }, { status: 'CANCELLED' }, { status: 'LOST', call_dnc: true }] as const

/** What goes wrong without a condition. */
const PLANTED: Readonly<Record<Plant, readonly Kind[]>> = {
  phone: ['flag on the lead', 'flag on another lead of the phone', 'entry on the list', 'report of another call'],
  lines: ['pause of all', 'pause of the existing leads'],
  lead: ['lead cancelled'],
}

/** Most stops meet the dial; others come while the agent has not answered yet, or before it is asked again. */
const stopAfter = (chance: Chance, kind: Kind, { retries, plant }: Plan): number => {
  const [least, most] = kind.startsWith('pause') ? PAUSES : STOPS
  if (plant || kind === 'cancelled in the call' || chance.happens(0.75)) return chance.between(least, most)
  return chance.happens(0.5) ? chance.between(most, ANSWERING) : chance.between(ANSWERING, retries)
}

const kindOf = (place: number, plant: Plant | null): Kind => {
  if (plant) return PLANTED[plant][place % PLANTED[plant].length]!
  if (place % IN_THE_CALL === IN_THE_CALL - 1) return 'cancelled in the call'
  return KINDS[(place - Math.floor(place / IN_THE_CALL)) % (KINDS.length - 1)]!
}

export const planRaces = (races: number, plan: Plan): Race[] => {
  const { seed, retries, plant = null, index = 0 } = plan
  const chance = chanceFrom(seed)
  return Array.from({ length: races }, (_, place): Race => {
    const kind = kindOf(place, plant)
    const first = chance.between(0, DIALS)
    const copies = chance.happens(0.45) ? [chance.between(0, COPY)] : []
    const stop = stopAfter(chance, kind, plan)
    return {
      index: index + place,
      kind,
      starts: [first, ...copies.map((after) => first + after)],
      stop,
      late: chance.between(0, 3000),
      lifted: SHORTEST + chance.between(0, 0.35) * (retries - stop),
      isFellows: chance.happens(0.4),
      patch: kind === 'bulk update' ? BULK_STOPS[Math.floor(chance.between(0, BULK_STOPS.length))]! : {},
      isFailing: stop > ANSWERING && chance.happens(0.6),
      plant,
    }
  })
}
